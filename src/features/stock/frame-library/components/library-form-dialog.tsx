import { useConnection } from '#src/sync/react/device-context.tsx'
import { FormDialog, type FormDialogProps } from '#src/domain/forms/form-dialog.tsx'

/** A form of the frame library. It needs a connection. */
export function LibraryFormDialog<F, B, R, I extends Record<string, string> = Record<string, string>>(
  props: Omit<FormDialogProps<F, B, R, I>, 'offline'>,
) {
  const isOffline = useConnection((connection) => connection.online) === false
  return <FormDialog {...props} offline={isOffline ? 'You need a connection to change the library.' : null} />
}
