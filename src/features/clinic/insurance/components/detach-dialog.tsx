import type { ReactNode } from 'react'
import type { Failure } from '#src/api/outcome.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { failureWords } from '../actions.ts'

/** Asks before it takes something off a record. */
export function DetachDialog({
  title,
  action,
  children,
  detach,
  onClose,
  onDone,
}: {
  title: ReactNode
  action: string
  children: ReactNode
  detach: () => Promise<Failure | null>
  onClose: () => void
  onDone: () => void
}) {
  async function run() {
    const refused = await detach()
    if (refused) return { title: 'NOT REMOVED', text: failureWords(refused) }
    onDone()
    return null
  }

  return <SureDialog title={title} text={<p>{children}</p>} yes={action} no="Keep it" danger onYes={run} onClose={onClose} />
}
