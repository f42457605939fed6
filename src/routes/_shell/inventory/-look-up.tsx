import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'

const FrameLookupDialog = fetchedDialog(async () => (await import('#src/features/frame-lookup/frame-lookup-dialog.tsx')).FrameLookupDialog)

export const viewUrls = { frames: '/inventory', models: '/inventory/models' } as const

/** History and status of a piece of the list. */
export function LookUp({ code, onClose }: { code: string; onClose: () => void }) {
  return <FrameLookupDialog open initialCode={code} onClose={onClose} />
}
