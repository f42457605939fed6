import { answerPrinted } from '#src/features/patients/patients/printed-answer.ts'
import { type FirstPatients, openFirstPatients } from '#src/sync/patients/first-patients.ts'
import type { ReadAhead } from '#src/sync/patients/read-ahead.ts'
import { dayHere } from '#src/ui/forms/day-here.ts'

/** Resolves to null when there is nobody to be found before the device is there. */
export type FirstSearch = { opening: Promise<FirstPatients | null> }

/** Somebody is found by then, or something is amiss. */
const longestAheadMs = 300

/** Lets the search that stands in the page itself answer (`answerPrinted`); resolves when it can, or is not worth waiting for. */
export async function answerAhead(ahead: ReadAhead): Promise<FirstSearch> {
  const opening = openFirstPatients(ahead)
  // Whoever goes on with it hears what became of it.
  opening.catch(() => undefined)
  const answering = opening.then(async (patients) => {
    if (patients) await answerPrinted(patients.mirror, dayHere(Date.now() + patients.look.serverOffsetMs))
  })
  await Promise.race([answering.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, longestAheadMs))])
  return { opening }
}
