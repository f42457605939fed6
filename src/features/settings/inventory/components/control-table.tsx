import { Check, Minus } from 'lucide-react'
import { allowedControls, controlActions, type ControlPreset } from '#contract/stock/control-rules.ts'
import { controlFlags, inventoryStatuses } from '#contract/stock/frames.ts'

export const presetNames: Record<ControlPreset, string> = { practice: 'Practice', specification: 'Specification' }

/** Shows which of the seven actions a preset allows in each status, from the rules themselves. */
export function ControlTable({ preset, inUse }: { preset: ControlPreset; inUse: boolean }) {
  return (
    // Wider than a small screen, so it scrolls, also by keyboard. `relative` keeps its hidden text from widening the
    // page.
    <section
      aria-label={`What ${presetNames[preset]} allows`}
      className="relative overflow-x-auto rounded-lg border border-line"
      {...{ tabIndex: 0 }}
    >
      <table className="w-full min-w-[46rem] table-fixed text-sm">
        <caption className="px-3 py-2.5 text-left font-semibold">
          {presetNames[preset]}
          <span className="font-normal text-ink-2">{inUse ? ' · in use in this store' : ''}</span>
        </caption>
        <thead>
          <tr className="border-y border-line bg-sunken text-ink-2">
            <th scope="col" className="w-56 px-3 py-2 text-left font-medium">
              Action
            </th>
            {inventoryStatuses.map((status) => (
              <th key={status} scope="col" className="px-1 py-2 text-center font-medium">
                {status}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {controlFlags.map((flag) => (
            <tr key={flag} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-2 text-left font-normal">
                {controlActions[flag].label}
              </th>
              {inventoryStatuses.map((status) => (
                <td key={status} className="px-1 py-2 text-center">
                  {allowedControls(status, preset).includes(flag) ? (
                    <>
                      <Check size={18} aria-hidden className="inline text-good" />
                      <span className="sr-only">allowed</span>
                    </>
                  ) : (
                    <>
                      <Minus size={18} aria-hidden className="inline text-ink-3 opacity-60" />
                      <span className="sr-only">not allowed</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
