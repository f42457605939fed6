import { describe, expect, test } from 'vitest'
import type { CountItem } from '#contract/counts/count-sheets.ts'
import { CountLedger, shelfOrder } from '#contract/counts/count-ledger.ts'
import { exceptionKind, type LedgerScan } from '#contract/counts/scan-lists.ts'

const sheetId = '01890000-0000-7000-8000-000000000001'

function itemOf(id: number, more: Partial<CountItem> = {}): CountItem {
  return {
    id_count_sheet: sheetId,
    id_inventory: id,
    sku: `T${id}`,
    serial: `S${id}`,
    upc: null,
    brand_id: (id % 3) + 1,
    brand_name: ['Ash', 'Birch', 'Cedar'][id % 3] ?? 'Ash',
    title_product: `Model ${id % 5}`,
    title_variant: 'Black',
    size_lens_width: 52,
    size_bridge_width: 18,
    size_temple_length: 140,
    pb_selling_price: 10_000 + id,
    status: 'Ready for Sale',
    board_location: `Board ${id % 4}`,
    last_seen_at: null,
    revision: 1,
    ...more,
  }
}

function scanOf(id: string, piece: number | null, second: number, more: Partial<LedgerScan> = {}): LedgerScan {
  return {
    id,
    raw_code: piece === null ? `X${id}` : `T${piece}`,
    id_inventory: piece,
    finding: piece === null ? 'unknown' : piece <= 30 ? 'expected' : 'set-aside',
    finding_detail: null,
    via: 'scanner',
    negates: null,
    previous_scan: null,
    walk: 1,
    captured_at: new Date(Date.UTC(2026, 10, 21, 9, 0, second)).toISOString(),
    author_id: 1,
    author_name: 'Ana',
    device_id: 'tablet-a',
    ...more,
  }
}

function undoOf(id: string, negates: string, second: number, more: Partial<LedgerScan> = {}): LedgerScan {
  return scanOf(id, null, second, { negates, finding: 'unknown', ...more })
}

function ledgerOf(events: LedgerScan[], items = 30, walk = 1): CountLedger {
  const ledger = new CountLedger(walk)
  ledger.addItems(Array.from({ length: items }, (_, at) => itemOf(at + 1)))
  for (const event of events) ledger.add(event)
  return ledger
}

/** Everything that a sheet shows, in a form that compares. */
function reading(ledger: CountLedger) {
  return {
    counted: ledger.scans.counted.toArray(),
    exceptions: ledger.scans.setAside.toArray(),
    unknown: ledger.scans.unknown.toArray(),
    toDecide: ledger.scans.toDecide.toArray(),
    log: ledger.scans.log.toArray(),
    toFind: ledger.inShelfOrder.toArray().map((item) => item.id_inventory),
    brands: ledger.brands(),
    people: ledger.people(),
    duplicates: ledger.duplicateTotal,
    outcomes: ledger.scans.log.toArray().map((event) => ledger.outcomeOf(event)),
  }
}

/** The same fold in the slow and obvious way: all of it again from the set of events. */
function obviousReading(items: CountItem[], events: LedgerScan[], walk: number) {
  const inTime = [...events].sort((a, b) => (a.captured_at + a.id < b.captured_at + b.id ? -1 : 1))
  const undone = new Set(events.flatMap((event) => event.negates ?? []))
  const live = inTime.filter((event) => event.negates === null && event.walk === walk && !undone.has(event.id))
  const onPiece = live.filter((event) => event.id_inventory !== null && ['expected', 'set-aside'].includes(event.finding))
  const first = new Map<number, LedgerScan>()
  for (const event of onPiece) if (!first.has(event.id_inventory!)) first.set(event.id_inventory!, event)
  const standing = [...first.values()]
  const counted = standing.filter((event) => event.finding === 'expected')
  const countedPieces = new Set(counted.map((event) => event.id_inventory))
  return {
    counted: counted.map((event) => event.id),
    exceptions: standing.filter((event) => event.finding === 'set-aside').map((event) => event.id),
    unknown: live.filter((event) => event.finding !== 'model-only' && !onPiece.includes(event)).map((event) => event.id),
    toFind: items
      .filter((item) => !countedPieces.has(item.id_inventory))
      .sort(shelfOrder)
      .map((item) => item.id_inventory),
    duplicates: onPiece.length - standing.length,
  }
}

function randomiser(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

function randomEvents(random: (below: number) => number, walks: number): LedgerScan[] {
  const events: LedgerScan[] = []
  for (let at = 0; at < 80; at++) {
    const id = `e${String(at).padStart(3, '0')}`
    const author = 1 + random(3)
    const more = {
      walk: 1 + random(walks),
      author_id: author,
      author_name: `Person ${author}`,
      device_id: `tablet-${author}`,
      ...(random(12) === 0 && { finding: 'model-only' as const }),
    }
    const scans = events.filter((event) => event.negates === null)
    const target = scans[random(scans.length || 1)]
    if (random(6) === 0 && target) events.push(undoOf(id, target.id, random(50), more))
    else events.push(scanOf(id, random(8) === 0 ? null : 1 + random(35), random(50), more))
  }
  return events
}

function shuffled<T>(rows: T[], random: (below: number) => number): T[] {
  const copy = [...rows]
  for (let at = copy.length - 1; at > 0; at--) {
    const other = random(at + 1)
    const kept = copy[at]!
    copy[at] = copy[other]!
    copy[other] = kept
  }
  return copy
}

describe('a sheet is the fold of its events', () => {
  test('it shows the same for any order of events, with repeats, and with items before or after', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomiser(seed)
      const walks = 1 + (seed % 2)
      const events = randomEvents(random, walks)
      const items = Array.from({ length: 30 }, (_, at) => itemOf(at + 1))
      const inOrder = ledgerOf(events, 30, walks)
      const other = new CountLedger(walks)
      const steps: (() => void)[] = [...events, ...events.slice(0, 20)].map((event) => () => other.add(event))
      for (const item of items) steps.push(() => other.addItems([item]))
      for (const step of shuffled(steps, random)) step()
      expect(reading(other), `seed ${seed}`).toEqual(reading(inOrder))
    }
  })

  test('it shows the same as the slow and obvious way', () => {
    for (let seed = 100; seed <= 160; seed++) {
      const events = randomEvents(randomiser(seed), 2)
      const items = Array.from({ length: 30 }, (_, at) => itemOf(at + 1))
      const ledger = ledgerOf(events, 30, 2)
      expect(
        {
          counted: ledger.scans.counted.toArray().map((scan) => scan.id),
          exceptions: ledger.scans.setAside.toArray().map((scan) => scan.id),
          unknown: ledger.scans.unknown.toArray().map((scan) => scan.id),
          toFind: ledger.inShelfOrder.toArray().map((item) => item.id_inventory),
          duplicates: ledger.duplicateTotal,
        },
        `seed ${seed}`,
      ).toEqual(obviousReading(items, events, 2))
    }
  })

  test('a withdrawn event leaves no trace', () => {
    for (let seed = 200; seed <= 240; seed++) {
      const random = randomiser(seed)
      const events = randomEvents(random, 1)
      const withdrawn = new Set(events.filter(() => random(4) === 0).map((event) => event.id))
      const ledger = ledgerOf(events)
      for (const id of withdrawn) ledger.remove(id)
      expect(reading(ledger), `seed ${seed}`).toEqual(reading(ledgerOf(events.filter((event) => !withdrawn.has(event.id)))))
    }
  })

  test("the server's reading of an event replaces the device's, even when it names another piece", () => {
    for (let seed = 300; seed <= 340; seed++) {
      const random = randomiser(seed)
      const read = randomEvents(random, 1)
      const truth = read.map((event) =>
        event.negates !== null || random(3) > 0
          ? event
          : { ...event, ...scanOf(event.id, random(5) === 0 ? null : 1 + random(35), random(50), { author_id: event.author_id }) },
      )
      const ledger = ledgerOf(read)
      for (const event of shuffled(truth, random)) ledger.add(event)
      expect(reading(ledger).counted, `seed ${seed}`).toEqual(reading(ledgerOf(truth)).counted)
      expect(reading(ledger).outcomes, `seed ${seed}`).toEqual(reading(ledgerOf(truth)).outcomes)
      expect(reading(ledger).toFind, `seed ${seed}`).toEqual(reading(ledgerOf(truth)).toFind)
    }
  })

  test('a sheet that starts its second walk reads like one that was opened in it', () => {
    const events = randomEvents(randomiser(9), 2)
    const ledger = ledgerOf(events, 30, 1)
    ledger.startWalk(2)
    expect(reading(ledger)).toEqual(reading(ledgerOf(events, 30, 2)))
  })
})

describe('two people on one sheet', () => {
  test("one person's lists are that person's part of everybody's lists, no matter when they were first read", () => {
    for (let seed = 400; seed <= 440; seed++) {
      const random = randomiser(seed)
      const events = randomEvents(random, 2)
      const ledger = ledgerOf(events.slice(0, 40), 30, 2)
      // The test reads person 1's lists from now on, and person 2's only at the end.
      ledger.scansOf(1)
      for (const event of events.slice(40)) ledger.add(event)
      for (const event of events) if (random(6) === 0) ledger.remove(event.id)
      for (const author of [1, 2])
        for (const list of ['counted', 'setAside', 'unknown', 'toDecide', 'log'] as const)
          expect(ledger.scansOf(author)[list].toArray(), `seed ${seed}, ${list} of ${author}`).toEqual(
            ledger.scans[list].toArray().filter((scan) => scan.author_id === author),
          )
    }
  })

  test('exceptions are listed by kind with unknown codes last, and the newest first', () => {
    const ledger = ledgerOf([
      scanOf('a', 31, 1, { finding_detail: 'Sold' }),
      scanOf('b', null, 2),
      scanOf('c', 32, 3, { finding_detail: 'Belongs to Eastside' }),
      scanOf('d', 33, 4, { finding_detail: 'Sold' }),
      scanOf('e', 7, 5),
    ])
    expect(ledger.scans.toDecide.toArray().map((scan) => scan.id)).toEqual(['c', 'd', 'a', 'b'])
    expect(exceptionKind(ledger.scans.toDecide.at(3)!)).toBe('Unknown code')
  })

  test('the earliest scan of a piece counts, and the later one is already counted', () => {
    const ana = scanOf('a', 7, 10)
    const ben = scanOf('b', 7, 4, { author_id: 2, author_name: 'Ben', device_id: 'tablet-b' })
    const ledger = ledgerOf([ana])
    expect(ledger.outcomeOf(ana)).toBe('counted')
    ledger.add(ben)
    expect(ledger.outcomeOf(ana)).toBe('duplicate')
    expect(ledger.outcomeOf(ben)).toBe('counted')
    expect(ledger.countedTotal).toBe(1)
    expect(ledger.people()).toEqual([expect.objectContaining({ author_name: 'Ben', counted: 1 })])
  })

  test('the second scan counts when the first one is undone', () => {
    const ledger = ledgerOf([scanOf('a', 7, 1), scanOf('b', 7, 2), undoOf('u', 'a', 3)])
    expect(ledger.scanOf(7)?.id).toBe('b')
    expect(ledger.countedTotal).toBe(1)
    expect(ledger.duplicateTotal).toBe(0)
  })

  test('a scan that two people undid stays undone when one of them takes it back', () => {
    const ledger = ledgerOf([scanOf('a', 7, 1), undoOf('u1', 'a', 2), undoOf('u2', 'a', 3)])
    ledger.remove('u2')
    expect(ledger.isUndone('a')).toBe(true)
    ledger.remove('u1')
    expect(ledger.isUndone('a')).toBe(false)
    expect(ledger.countedTotal).toBe(1)
  })
})

describe('codes that name no piece', () => {
  test('a UPC never counts a piece, even where the piece is named with it', () => {
    const ledger = ledgerOf([scanOf('a', 7, 1, { finding: 'model-only' })])
    expect(ledger.countedTotal).toBe(0)
    expect(ledger.unknownTotal).toBe(0)
    expect(ledger.outcomeOf(scanOf('a', 7, 1, { finding: 'model-only' }))).toBe('model-only')
    ledger.add(scanOf('b', 7, 2))
    expect(ledger.countedTotal).toBe(1)
  })

  test('an unknown code is kept with the pieces before and after it by the same tablet', () => {
    const unknown = scanOf('c', null, 5)
    const ledger = ledgerOf([
      scanOf('a', 1, 3),
      scanOf('b', 2, 4, { device_id: 'tablet-b' }),
      unknown,
      undoOf('u', 'a', 6),
      scanOf('d', 3, 7),
    ])
    expect(ledger.scans.unknown.toArray()).toEqual([unknown])
    expect(ledger.neighboursOf(unknown).before?.id).toBe('a')
    expect(ledger.neighboursOf(unknown).after?.id).toBe('d')
  })
})

test('a sheet of 10,000 lines takes each of 2,000 scans within a blink', () => {
  const ledger = new CountLedger()
  ledger.addItems(Array.from({ length: 10_000 }, (_, at) => itemOf(at + 1)))
  const began = performance.now()
  for (let id = 1; id <= 2000; id++)
    ledger.add(
      scanOf(`s${String(id).padStart(5, '0')}`, id, 0, {
        finding: 'expected',
        captured_at: new Date(Date.UTC(2026, 10, 21) + id).toISOString(),
      }),
    )
  // A generous bound: one frame of a slow tablet for every scan would be 32 s.
  expect((performance.now() - began) / 2000).toBeLessThan(1)
  expect(ledger.countedTotal).toBe(2000)
})
