import type { Insertable } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores, fullName } from '#server/demo/demo-clinic.ts'
import type { DemoFrame } from '#server/demo/demo-frames.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

const waitingInStore = 6

/** A few pieces in every store whose labels came off or became unreadable. */
export function demoLabelRequests(
  frames: readonly DemoFrame[],
  calendar: DemoCalendar,
  random: SeededRandom,
): Insertable<Schema['label_request']>[] {
  const clerk = fullName(demoPeople.find(({ roles }) => roles.some((role) => role === 'stock_clerk')) ?? demoPeople[0])
  return demoStores.flatMap(({ store_id }) => {
    const onBoard = frames.filter((frame) => frame.store_id === store_id && frame.status === 'Ready for Sale')
    const step = Math.max(1, Math.floor(onBoard.length / waitingInStore))
    return onBoard
      .filter((_, at) => at % step === step - 1)
      .slice(0, waitingInStore)
      .map(({ id_inventory }) => ({
        id_request: random.uuid(),
        id_inventory,
        asked_by: clerk,
        asked_at: calendar.daysAgo(random.int(1, 4), random.int(14, 20)),
        settled_by: null,
        settled_at: null,
      }))
  })
}
