import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'

const FrameLookupDialog = fetchedDialog(
  async () => (await import('#src/features/stock/frame-lookup/frame-lookup-dialog.tsx')).FrameLookupDialog,
)

const LabelsDialog = fetchedDialog(async () => (await import('#src/features/stock/labels/labels-dialog.tsx')).LabelsDialog)

export const viewUrls = { frames: '/inventory', models: '/inventory/models' } as const

/** History and status of a piece of the list. */
export function LookUp({ code, onClose }: { code: string; onClose: () => void }) {
  return <FrameLookupDialog open initialCode={code} onClose={onClose} />
}

/** The labels of pieces of the list. */
export function Labels(props: { ids: readonly number[]; sku?: string | undefined; onClose: () => void }) {
  return <LabelsDialog {...props} />
}
