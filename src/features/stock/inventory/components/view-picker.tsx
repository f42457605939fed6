import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { readTexts } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import type { StockFilters, StockOrderKey } from '../model/filters.ts'
import { keepViews, reports, savedViews, type StockView } from '../model/stock-views.ts'

const mostViews = 30
const fresh = { name: '' }

/** The reports and the user's saved views. Choosing one sets filters and order. */
export function ViewPicker({
  idUser,
  store,
  filters,
  order,
  onChoose,
}: {
  idUser: number
  /** The store of the reports. */
  store: string
  filters: StockFilters
  order: StockOrderKey
  onChoose: (view: StockView) => void
}) {
  const [own, setOwn] = useState(() => savedViews(idUser))
  const [isNaming, setNaming] = useState(false)
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

  function whyNot(name: string): string | null {
    if (name === '') return 'This field is required'
    return all.some((view) => view.name === name) ? 'A view with this name already exists' : null
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
        <NameDialog
          whyNot={whyNot}
          onSave={(called) => keep([...own, { name: called, filters, order }])}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  )
}

type NameDialogProps = { whyNot: (name: string) => string | null; onSave: (name: string) => boolean; onClose: () => void }

function NameDialog({ whyNot, onSave, onClose }: NameDialogProps) {
  const draft = useTyped<Record<string, string>>('own: name of a stock view', fresh, readTexts)
  return (
    <KeptForm
      draft={draft}
      title="Save view"
      description="Saved on this device, for you only."
      size="sm"
      save="Save"
      check={({ name = '' }) => {
        const why = whyNot(name.trim())
        return why === null ? {} : { name: why }
      }}
      send={async ({ name = '' }) => (onSave(name.trim()) ? null : {})}
      onDone={onClose}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <TextField
          label="Name"
          required
          maxLength={60}
          autoComplete="off"
          value={typed['name'] ?? ''}
          onChange={(name) => change({ name })}
          error={problems['name']}
        />
      )}
    </KeptForm>
  )
}
