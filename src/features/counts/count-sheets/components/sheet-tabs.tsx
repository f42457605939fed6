import { Suspense } from 'react'
import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { laterPart } from './later-part.tsx'
import { ToFindList } from './to-find-list.tsx'

/** Scanners come first: the manual entry loads a moment after the count. */
const ManualEntry = laterPart(async () => (await import('./manual-entry.tsx')).ManualEntry)
const CountedList = laterPart(async () => (await import('./scan-lists.tsx')).CountedList)
const ExceptionsList = laterPart(async () => (await import('./exceptions-list.tsx')).ExceptionsList)
const UnknownList = laterPart(async () => (await import('./scan-lists.tsx')).UnknownList)
const LogList = laterPart(async () => (await import('./scan-lists.tsx')).LogList)

export type SheetTab = 'to-find' | 'counted' | 'exceptions' | 'unknown' | 'log'

/** The lists of an open sheet, with the manual entry above them. */
export function SheetTabs({ model, selected, onSelect }: { model: SheetModel; selected: SheetTab; onSelect: (tab: SheetTab) => void }) {
  useSheet(model, (state) => state.version)
  const { ledger } = model
  // A counter of a blind count sees only their own work.
  const { toDecide, unknown } = model.scans()
  const seesExpected = model.seesExpected()
  const tabs = [
    ...(seesExpected ? [{ key: 'to-find' as const, label: 'To find', count: ledger.toFindTotal }] : []),
    { key: 'counted' as const, label: 'Counted', count: seesExpected ? ledger.countedTotal : undefined },
    { key: 'exceptions' as const, label: 'Exceptions', count: toDecide.length },
    { key: 'unknown' as const, label: 'Unknown', count: unknown.length },
    { key: 'log' as const, label: 'Log' },
  ]
  const shown = tabs.some((tab) => tab.key === selected) ? selected : 'counted'
  return (
    <div className="flex min-h-72 min-w-0 flex-1 flex-col gap-1">
      <Suspense fallback={<div className="h-target" />}>
        <ManualEntry model={model} />
      </Suspense>
      <Tabs fill label="Lists of this count" tabs={tabs} selected={shown} onSelect={onSelect}>
        <Suspense fallback={<Skeleton lines={3} height="row" />}>
          {shown === 'to-find' && <ToFindList model={model} />}
          {shown === 'counted' && <CountedList model={model} />}
          {shown === 'exceptions' && <ExceptionsList model={model} />}
          {shown === 'unknown' && <UnknownList model={model} />}
          {shown === 'log' && <LogList model={model} />}
        </Suspense>
      </Tabs>
    </div>
  )
}
