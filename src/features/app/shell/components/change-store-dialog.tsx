import { Check, Store, Warehouse } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Location } from '#contract/people/session.ts'
import { changeStore, storesToChoose } from '#src/features/app/shell/actions.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

/** Chooses the user's store. The dialog closes after the change. */
export function ChangeStoreDialog({ open, onClose, onChanged }: { open: boolean; onClose: () => void; onChanged: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title="Change Store"
      description="Select a store from the list below:"
      footer={<Button onClick={onClose}>Cancel</Button>}
    >
      <StoreList onClose={onClose} onChanged={onChanged} />
    </Dialog>
  )
}

function StoreList({ onClose, onChanged }: { onClose: () => void; onChanged: () => void }) {
  const device = useDevice()
  const current = useSession((session) => session.home?.store_id)
  const [stores, setStores] = useState<Location[] | null>(null)
  const [changing, setChanging] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    let gone = false
    void storesToChoose(device).then((found) => {
      if (!gone) setStores(found)
    })
    return () => {
      gone = true
    }
  }, [device])

  async function choose(store: Location) {
    if (changing !== null) return
    if (store.store_id === current) {
      onClose()
      return
    }
    setChanging(store.store_id)
    const failed = await changeStore(device, store)
    setChanging(null)
    setProblem(failed)
    if (failed === null) {
      onChanged()
      onClose()
    }
  }

  return (
    <div className="flex flex-col gap-3">
      {problem && <Notice tone="bad" title={problem} />}
      {stores === null ? (
        <Skeleton lines={3} height="row" />
      ) : (
        <ul className="flex flex-col gap-1">
          {stores.map((store) => {
            const here = store.store_id === current
            const Icon = store.is_warehouse ? Warehouse : Store
            return (
              <li key={store.store_id}>
                <button
                  type="button"
                  aria-current={here || undefined}
                  onClick={() => void choose(store)}
                  className={`flex min-h-tall w-full items-center gap-3 rounded-md border px-3 text-left transition-colors hover:bg-hover ${
                    here ? 'border-accent bg-accent-soft' : 'border-line'
                  }`}
                >
                  <Icon size={20} aria-hidden className="shrink-0 text-ink-3" />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium">{store.store_name}</span>
                    <span className="block text-xs text-ink-3">{store.is_warehouse ? 'Warehouse' : store.short_name}</span>
                  </span>
                  {changing === store.store_id && <Spinner size="sm" label="Changing" />}
                  {here && changing === null && (
                    <span className="flex items-center gap-1.5 text-sm font-medium text-accent-text">
                      <Check size={18} aria-hidden /> Current store
                    </span>
                  )}
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
