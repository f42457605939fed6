import { bareRequest, drainOurs, drainRxdb, drainWorkbox } from './drains.ts'
import { fill, isFilled } from './fills.ts'
import { hold } from './holding.ts'
import { askPatients, fillPatients } from './patients.ts'
import { bareDownload, pullAll, pullChange } from './pulls.ts'
import { scan, scanDuringRefresh } from './scans.ts'
import { ask } from './searches.ts'
import { listStock } from './stock-lists.ts'

/** The calls of the runner into the browser. */
const calls = {
  fill,
  isFilled,
  ask,
  scan,
  scanDuringRefresh,
  drainOurs,
  bareRequest,
  drainRxdb,
  drainWorkbox,
  pullAll,
  bareDownload,
  pullChange,
  hold,
  fillPatients,
  askPatients,
  listStock,
}
export type PageCalls = typeof calls

Object.assign(window, { bench: calls })
