import { Bookmark, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import type { StockFilters, StockOrderKey } from '../model/filters.ts'
import { keepViews, reports, savedViews, type StockView } from '../model/stock-views.ts'

const mostViews = 30

/** The reports and the views that somebody saved; choosing one sets filters and order. */
export function ViewPicker({
  idUser,
  store,
  filters,
  order,
  onChoose,
}: {
  idUser: number
  /** The reports are of this store. */
  store: string
  filters: StockFilters
  order: StockOrderKey
  onChoose: (view: StockView) => void
}) {
  const [own, setOwn] = useState(() => savedViews(idUser))
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const all = [...reports.map((view) => ({ ...view, filters: { ...view.filters, store } })), ...own]
  const shown = all.findIndex((view) => view.order === order && JSON.stringify(view.filters) === JSON.stringify(filters))
  const isOwn = shown >= reports.length

  function keep(views: StockView[]): boolean {
    if (!keepViews(idUser, views)) {
      showToast({ title: 'NOT SAVED', description: 'This device doesn’t let the app save views.', tone: 'bad' })
      return false
    }
    setOwn(views)
    return true
  }

  function save(event: FormEvent) {
    event.preventDefault()
    const called = name.trim()
    if (called === '') return setError('This field is required')
    if (all.some((view) => view.name === called)) return setError('A view with this name already exists')
    if (!keep([...own, { name: called, filters, order }])) return
    setNaming(false)
    setName('')
  }

  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="w-40">
        <SelectField
          label="View"
          placeholder="Not saved"
          options={all.map((view, at) => ({ value: String(at), label: view.name }))}
          value={shown === -1 ? '' : String(shown)}
          onChange={(at) => {
            const view = all[Number(at)]
            if (view) onChoose(view)
          }}
        />
      </div>
      {shown === -1 && own.length < mostViews && (
        <Button icon={<Bookmark size={18} aria-hidden />} onClick={() => setNaming(true)}>
          Save view
        </Button>
      )}
      {isOwn && (
        <Button icon={<Trash2 size={18} aria-hidden />} onClick={() => keep(own.filter((_, at) => at !== shown - reports.length))}>
          Delete view
        </Button>
      )}
      {isNaming && (
        <Dialog
          open
          onClose={() => setNaming(false)}
          title="Save view"
          description="Saved on this device, for you only."
          size="sm"
          footer={
            <Button variant="primary" type="submit" form="save-stock-view">
              Save
            </Button>
          }
        >
          <form id="save-stock-view" onSubmit={save}>
            <TextField label="Name" required maxLength={60} autoComplete="off" value={name} onChange={setName} error={error} />
          </form>
        </Dialog>
      )}
    </div>
  )
}
