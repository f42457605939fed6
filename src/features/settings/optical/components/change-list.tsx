import { useCallback, useEffect, useRef } from 'react'
import { type FieldChange, settingsChangeEndpoints } from '#contract/settings/settings-changes.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { formatDateTime } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

const timeoutMs = 15_000

const names: Record<string, string> = {
  license_no: 'License number',
  npi: 'NPI',
  cylinder_notation: 'Cylinder',
  power_step: 'Glasses powers, in steps of',
  expiry_by_state: 'Expiration set by state',
  spectacle_expiry_months: 'Glasses expire after, months',
  contact_lens_expiry_months: 'Contact lenses expire after, months',
  vertex_distance: 'Vertex distance, mm',
  street_address: 'Street',
  address_line_2: 'Address line 2',
  city: 'City',
  state: 'State',
  zip_code: 'ZIP code',
  phone: 'Phone',
  fax: 'Fax',
}
/** The server stores these as whole thousandths. */
const thousandths = ['power_step', 'vertex_distance']

function shown(field: string, value: FieldChange['before']): string {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' && thousandths.includes(field) ? String(value / 1000) : String(value)
}

/** The changes on this page, with their author, newest first. The list reloads when `turn` changes, after each save. */
export function ChangeList({ turn }: { turn: number }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const store = home?.store_id
  const zone = home?.locations.find(({ store_id }) => store_id === store)?.time_zone
  const load = useCallback(() => device.call(settingsChangeEndpoints.settingsChanges, {}, { timeoutMs }), [device, store]) // oxlint-disable-line react-hooks/exhaustive-deps
  const { value, failure, reload } = useLoaded(load)
  const seen = useRef(turn)
  useEffect(() => {
    if (seen.current !== turn) void reload()
    seen.current = turn
  }, [turn, reload])
  const changes = value?.changes.filter(({ action }) => action !== 'inventory.edit')
  return (
    <details className="mb-8 border-b border-line pb-4">
      <summary className="min-h-target cursor-pointer py-2.5 text-lg font-semibold">See who changed what</summary>
      {changes ? (
        changes.length === 0 ? (
          <p className="text-ink-2">No changes yet.</p>
        ) : (
          <ul aria-label="Changes" className="divide-y divide-line border-y border-line">
            {changes.map(({ at, by, provider, changes: fields }) => (
              <li key={`${at} ${by} ${provider} ${fields.map(({ field }) => field).join()}`} className="py-2">
                <p className="text-sm text-ink-2">
                  {formatDateTime(at, zone)} · <bdi>{by}</bdi>
                  {provider && (
                    <>
                      {' '}
                      · numbers for <bdi>{provider}</bdi>
                    </>
                  )}
                </p>
                {fields.map(({ field, before, after }) => (
                  <p key={field} className="wrap-anywhere">
                    {names[field] ?? field}: {shown(field, before)} → {shown(field, after)}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )
      ) : failure ? (
        <NotLoaded
          failure={failure}
          title="Couldn’t load changes"
          offline="They’re available online. Open this page again when you’re back online."
          onRetry={() => void reload()}
        />
      ) : (
        <Skeleton lines={2} height="row" />
      )}
    </details>
  )
}
