/**
 * Mutations of the production code. A simulation that misses them would prove nothing when it finds no fault. `failure`
 * names how others lost data by the same mistake (docs/reliability.md has the list). Each `find` must occur exactly
 * once in its file. After a code change, plant the bug again, or the run fails. `harmless`: the part of the code that
 * keeps every promise despite the bug.
 */
const drain = 'src/sync/engine/drain.ts'
const settle = 'src/sync/engine/settle.ts'
const outbox = 'src/sync/engine/outbox.ts'

export const plantedBugs = [
  {
    name: 'deleted before it is sent',
    failure: 1,
    changes: [
      {
        file: drain,
        find: '    parts.set({ sending: true })\n    const askedAt = environment.now()\n',
        put: '    await hot.outbox.bulkDelete(commands.map(({ id }) => id))\n    const askedAt = environment.now()\n',
      },
    ],
  },
  {
    name: 'an ended session discards what was being sent',
    failure: 2,
    changes: [
      {
        file: settle,
        find: "      if (verdict.kind !== 'applied') {\n",
        put: "      if (verdict.kind === 'signed-out') {\n        leaving.push(command)\n        continue\n      }\n      if (verdict.kind !== 'applied') {\n",
      },
    ],
  },
  {
    name: 'an expired token is never renewed',
    failure: 3,
    changes: [
      {
        file: 'src/sync/session/session.ts',
        find: 'if (now.access_token !== null && now.access_token !== used) {',
        put: 'if (now.access_token !== null) {',
      },
    ],
  },
  {
    name: 'tabs race for new tokens, and the loser ends the session',
    failure: 4,
    changes: [
      {
        file: 'src/sync/session/session.ts',
        find: 'return await exclusion.exclusively(lockName, 30_000, async () => {',
        put: 'return await (async (_: unknown, __: number, work: () => Promise<Renewal>) => await work())(exclusion, 0, async () => {',
      },
      {
        file: 'server/features/app/login/refresh-rotation.ts',
        find: 'const next = inGrace ? await newestAfter(services, trx, token) : await unconfirmedAfter(services, trx, token, session)',
        put: 'const next = inGrace ? null : await unconfirmedAfter(services, trx, token, session)',
      },
    ],
  },
  {
    name: 'the server does not look whether it has a command already',
    failure: 5,
    changes: [
      {
        file: 'server/platform/db/receipts.ts',
        find: 'if (ids.length === 0) return new Map()',
        put: 'if (ids.length >= 0) return new Map()',
      },
    ],
  },
  {
    name: 'a repeated command gets a new id',
    failure: 5,
    changes: [
      {
        file: drain,
        find: '    const commands = await proven(picked)\n',
        put: `    const renamed = await Promise.all(
      picked.map(async (command) => {
        if (!sentOnce.has(command.id)) {
          sentOnce.add(command.id)
          return command
        }
        const other = { ...command, id: environment.newId(), body_hash: null }
        await hot.outbox.delete(command.id)
        await hot.outbox.add(other)
        return other
      }),
    )
    const commands = await proven(renamed)
`,
      },
      { file: drain, find: '  let turn = 0\n', put: '  let turn = 0\n  const sentOnce = new Set<string>()\n' },
    ],
  },
  {
    name: 'two tabs send at once, and neither minds the other',
    failure: 6,
    harmless: 'the server knows each command by its id',
    changes: [
      {
        file: drain,
        find: 'await parts.exclusion.exclusively(sendingLock, lockPatienceMs, async (): Promise<Step> =>',
        put: 'await (async (work: () => Promise<Step>) => await work())(async (): Promise<Step> =>',
      },
      { file: settle, find: 'return now.success && now.output.epoch === epoch', put: 'return now.success && epoch > 0' },
      {
        file: settle,
        find: "return now !== undefined && now.state !== 'needs-attention' && now.lane_seq === lane_seq",
        put: "return now === undefined || (now.state !== 'needs-attention' && now.lane_seq === lane_seq)",
      },
    ],
  },
  {
    name: 'a refused command blocks all behind it',
    failure: 7,
    changes: [{ file: 'src/sync/engine/pick.ts', find: 'if (blockers.has(command.kind)) held = command.lane', put: 'held = command.lane' }],
  },
  {
    name: 'a batch that is too large is refused as a whole',
    failure: 7,
    changes: [{ file: 'src/sync/engine/verdict.ts', find: "  if (commands > 1) return { kind: 'halve' }\n", put: '' }],
  },
  {
    name: 'after a failure nothing is tried again until someone acts',
    failure: 8,
    changes: [
      { file: drain, find: '          wakeIn(step.ms)\n          return\n', put: '          return\n' },
      { file: 'src/sync/device/open-device.ts', find: 'if (there && unsent > 0) void drain.run(online === false)', put: '' },
      { file: 'src/sync/device/open-device.ts', find: '    if (connection.state.getState().unsent > 0) void drain.run(false)\n', put: '' },
      {
        file: 'src/sync/device/open-device.ts',
        find: '  connection.onBackOnline(() => {\n    void drain.run(true)\n',
        put: '  connection.onBackOnline(() => {\n',
      },
      {
        file: 'src/sync/device/open-device.ts',
        find: '      if (now === null) return\n      void drain.run(true)\n',
        put: '      if (now === null) return\n',
      },
      { file: 'src/sync/engine/watchdog.ts', find: '      drain.restart()\n', put: '' },
    ],
  },
  {
    name: 'the drain believes for ever that it is running',
    failure: 9,
    changes: [
      {
        file: drain,
        find: '        running = null\n        parts.set({ sending: false })\n',
        put: '        parts.set({ sending: false })\n',
      },
      { file: 'src/sync/engine/watchdog.ts', find: '      drain.restart()\n', put: '' },
    ],
  },
  {
    name: 'a write that failed is called saved',
    failure: 10,
    changes: [
      {
        file: outbox,
        find: 'settle({ saved: false, problem: inDoubt.has(draft.id) ? { ...problem, id: draft.id } : problem })',
        put: "settle(problem.reason === 'signed-out' ? { saved: false, problem } : { saved: true, command: { ...draft, lane_seq: 1 } })",
      },
    ],
  },
  {
    name: 'a frozen tab is waited for without end',
    failure: 11,
    changes: [
      {
        file: 'src/sync/engine/locks.ts',
        find: 'environment.schedule(patienceMs, () => impatience.abort())',
        put: 'environment.schedule(patienceMs, () => undefined)',
      },
    ],
  },
  {
    name: 'an open tab keeps the newer app from its tables',
    failure: 12,
    changes: [
      { file: 'src/sync/device/open-device.ts', find: "    hot.close()\n    connection.set({ databaseBlocked: 'reload' })\n", put: '' },
    ],
  },
  {
    name: 'an answer without a receipt counts as one',
    failure: 13,
    changes: [
      {
        file: 'src/sync/engine/verdict.ts',
        find: "if (!receipt) return { kind: 'again' }",
        put: "if (!receipt) return { kind: 'applied', receipt: { id: command.id, body_hash: '', outcome: 'applied', number: null, at: '' } }",
      },
    ],
  },
  {
    name: 'a repeated command gets a new time',
    failure: 14,
    changes: [
      {
        file: drain,
        find: '    const commands = await proven(picked)\n',
        put: `    const now = new Date(environment.now()).toISOString()
    const stamped = picked.map((command) => ({ ...command, captured: { ...command.captured, wall: now }, body_hash: null }))
    const commands = await proven(stamped)
    await hot.outbox.bulkPut(commands)
`,
      },
    ],
  },
  {
    name: 'a cursor is one revision too far',
    failure: 15,
    changes: [
      {
        file: 'server/sync/pull.ts',
        find: '{ revision: place.revision + 1, id: source.firstId }',
        put: '{ revision: place.revision + 2, id: source.firstId }',
      },
    ],
  },
  {
    name: 'the server’s rows replace unsent work',
    failure: 16,
    changes: [
      { file: settle, find: '    await hot.cursors.clear()\n', put: '    await hot.cursors.clear()\n    await hot.outbox.clear()\n' },
    ],
  },
  {
    name: 'the drain waits for a time that a wrong clock set',
    failure: 17,
    changes: [
      {
        file: 'src/sync/engine/verdict.ts',
        find: 'return since <= now && now < until && until - since <= longestWaitMs',
        put: 'return now < until',
      },
    ],
  },
  {
    name: 'a command that waits is overtaken by those behind it',
    failure: 18,
    changes: [
      {
        file: 'src/sync/engine/pick.ts',
        find: '        nextAt = Math.min(nextAt ?? Infinity, command.not_before)\n        held = command.lane\n',
        put: '        nextAt = Math.min(nextAt ?? Infinity, command.not_before)\n',
      },
    ],
  },
  {
    name: 'signing out empties the outbox',
    failure: 19,
    changes: [
      {
        file: 'src/sync/session/session.ts',
        find: '      patience.abort()\n      await write(signedOut)\n',
        put: '      patience.abort()\n      await hot.outbox.clear()\n      await write(signedOut)\n',
      },
    ],
  },
  {
    name: 'an answer marks the whole sheet as sent',
    failure: 20,
    changes: [
      {
        file: settle,
        find: '    await hot.outbox.bulkDelete(leaving.map(({ id }) => id))\n',
        put: '    await hot.outbox.filter(({ lane }) => leaving.some((command) => command.lane === lane)).delete()\n',
      },
    ],
  },
  {
    name: 'work is attributed to its deliverer',
    failure: '–',
    changes: [
      { file: 'server/sync/apply-chunk.ts', find: 'author_id: ready.context.author?.id_user ?? null', put: 'author_id: deliverer.id_user' },
    ],
  },
  {
    name: 'after a restored backup nothing is sent again',
    failure: '–',
    changes: [{ file: settle, find: '    for (const entry of lost) await queueAgain(hot, entry)\n', put: '' }],
  },
  {
    name: 'an older app is not understood any more',
    failure: '–',
    changes: [
      {
        file: 'server/sync/incoming.ts',
        find: 'for (let version = command.version; version < today; version++) {',
        put: 'for (let version = today; version < today; version++) {',
      },
    ],
  },
  {
    name: 'a wiped device says nothing',
    failure: 10,
    changes: [
      {
        file: 'src/sync/device/device-facts.ts',
        find: 'const isNews = canary !== null && canary !== device.id',
        put: 'const isNews = canary !== null && canary === null',
      },
    ],
  },
  {
    name: 'the number of unsent things is not counted again',
    failure: 9,
    changes: [{ file: 'src/sync/engine/connection.ts', find: '      recount().catch(() => undefined)\n', put: '' }],
  },
  {
    name: 'a write that hung is called not saved when its second try fails',
    failure: 10,
    changes: [{ file: outbox, find: 'if (hasHung) inDoubt.set(draft.id, draft)\n', put: '' }],
  },
  {
    name: 'a change of store whose answer was lost is never noticed',
    failure: '–',
    changes: [
      { file: 'src/sync/engine/pull.ts', find: '            parts.refreshHome()\n', put: '' },
      {
        file: 'src/sync/engine/events.ts',
        find: '        void parts.pull()\n        parts.refreshHome()\n',
        put: '        void parts.pull()\n',
      },
      { file: 'src/sync/device/open-device.ts', find: '    void pull.run()\n    await refreshHome()\n', put: '    void pull.run()\n' },
    ],
  },
  {
    name: 'a late receipt brings back a row that a pull removed',
    failure: 14,
    changes: [{ file: settle, find: '        if (row.revision <= (pulled.get(key) ?? -1)) continue\n', put: '' }],
  },
  {
    name: 'the notice of a wiped device shows once, to any user',
    failure: 10,
    changes: [
      {
        file: 'src/sync/device/device-facts.ts',
        find: 'const wiped = isNews || (first ? first.wiped : await hot.facts.get(wipedKey)) !== undefined',
        put: 'const wiped = isNews',
      },
    ],
  },
  {
    name: 'one change counts as none',
    failure: 15,
    changes: [
      {
        file: 'server/sync/pull.ts',
        find: 'hasNews: place.id !== wholeRevision || place.revision < reached',
        put: 'hasNews: place.id !== wholeRevision || place.revision + 1 < reached',
      },
    ],
  },
  {
    name: 'patients are unencrypted on the tablet',
    failure: '–',
    changes: [
      { file: 'src/db/mirrors/patient-mirror.ts', find: 'super({ ...options, codec: encryptedCodec(key) })', put: 'super(options)' },
    ],
  },
  {
    name: 'an unencrypted copy stays beside the sealed command',
    failure: '–',
    changes: [
      {
        file: 'src/sync/session/seal-draft.ts',
        find: 'return { ...draft, body, ...(own',
        put: 'return { ...draft, body, open: draft.body, ...(own',
      },
    ],
  },
  {
    name: 'typed text about a patient is unencrypted',
    failure: '–',
    changes: [
      {
        file: 'src/sync/device/drafts.ts',
        find: '  for (const key of keys) text = Uint8Array.from(await encryptBytes(key, text, place))\n',
        put: '',
      },
    ],
  },
  {
    name: 'signing out leaves the key for patients',
    failure: '–',
    changes: [
      {
        file: 'src/sync/session/session.ts',
        find: 'if (next.home === null || next.locked || next.home.id_user !== now.home?.id_user)\n',
        put: 'if (next.locked)\n',
      },
    ],
  },
  {
    name: 'a locked tablet keeps the key for patients',
    failure: '–',
    changes: [
      {
        file: 'src/sync/session/session.ts',
        find: 'if (next.home === null || next.locked || next.home.id_user !== now.home?.id_user)\n',
        put: 'if (next.home === null || next.home.id_user !== now.home?.id_user)\n',
      },
    ],
  },
  {
    name: 'an edit overwrites another user’s newer edit',
    failure: '–',
    changes: [
      {
        file: 'server/domain/patients/save-patient.ts',
        find: "if (now !== change.from && field !== 'ssn') conflicts.push(field)",
        put: "if (now !== change.from && field === 'ssn') conflicts.push(field)",
      },
    ],
  },
  {
    name: 'keeping the other’s value overwrites it all the same',
    failure: '–',
    changes: [
      {
        file: 'src/features/patients/patients/model/conflict.ts',
        find: "    if (isDisputed && choices[field] !== 'mine') continue\n",
        put: '',
      },
    ],
  },
  {
    name: 'a look at a patient is attributed to its deliverer',
    failure: '–',
    changes: [
      {
        file: 'server/features/patients/patients/view-patient.ts',
        find: 'by: actor,',
        put: 'by: { ...actor, id_user: deliverer?.id_user ?? actor.id_user },',
      },
    ],
  },
  {
    name: 'a write in doubt is sealed twice',
    failure: 10,
    changes: [{ file: outbox, find: 'if (before || !isSealed(kind)) push(made)', put: 'if (!isSealed(kind)) push(made)' }],
  },
  {
    name: 'somebody else’s PIN opens a locked tablet',
    failure: '–',
    from: 200_001,
    changes: [
      {
        file: 'src/features/app/login/model/unlock.ts',
        find: 'if (answer.value.id_user !== home.id_user) {',
        put: 'if (answer.value.id_user < 0) {',
      },
    ],
  },
  {
    name: 'a tablet that was removed gets its old key again',
    failure: '–',
    from: 200_001,
    changes: [
      {
        file: 'server/sync/patients-key.ts',
        find: 'const since = tablet?.removed_at ? `${purpose} since ${tablet.removed_at}` : purpose',
        put: 'const since = tablet ? purpose : `${purpose} `',
      },
    ],
  },
  {
    name: 'patients under a former key of the server are kept',
    failure: '–',
    from: 200_001,
    changes: [
      { file: 'src/sync/patients/patient-shelf.ts', find: 'const name = place + mark', put: 'const name = place' },
      { file: 'src/sync/patients/patient-shelf.ts', find: '      await emptyDatabase(indexedDB, name)\n', put: '' },
    ],
  },
  {
    name: 'another window goes on under the key of before',
    failure: '–',
    from: 200_001,
    harmless: 'each key has a place of its own, into which each window pulls for itself',
    changes: [
      { file: 'src/sync/patients/patient-shelf.ts', find: "if (before === 'pull' && open && ", put: "if (before !== 'pull' && open && " },
    ],
  },
  {
    name: 'a delivery whose answer was lost is received twice',
    failure: '–',
    changes: [
      {
        file: 'server/features/receiving/store-invoices/receive-pieces.ts',
        find: 'if (await wasReceived(step, addId)) return null',
        put: 'await wasReceived(step, addId)',
      },
    ],
  },
  {
    name: 'an unanswered scan is kept under another request',
    failure: '–',
    changes: [
      {
        file: 'src/features/receiving/store-invoices/actions.ts',
        find: 'const { receive_id, quantity, name, confirmed = true } = asked\n',
        put: "const { receive_id: asking, quantity, name, confirmed = true } = asked\n  const receive_id = asking.slice(0, -1) + (asking.endsWith('0') ? '1' : '0')\n",
      },
    ],
  },
  {
    name: 'an unanswered scan belongs to the next user',
    failure: '–',
    changes: [
      {
        file: 'src/features/receiving/store-invoices/actions.ts',
        find: 'record: (by) => keep(device, idVendorInvoice, asked, by)',
        put: 'record: (by) => keep(device, idVendorInvoice, asked, device.session.state.getState().home ?? by)',
      },
    ],
  },
  {
    name: 'a UPC that was matched by hand is not remembered',
    failure: '–',
    changes: [
      {
        file: 'server/features/receiving/store-invoices/receive-pieces.ts',
        find: '  if (learn !== null) {\n',
        put: '  if (learn === undefined) {\n',
      },
    ],
  },
  {
    name: 'a frame changes in spite of a newer status',
    failure: '–',
    changes: [
      {
        file: 'server/features/stock/inventory/change-state.ts',
        find: 'if (frame.status !== seen.status || frame.store_id !== seen.store_id) {',
        put: 'if (frame.store_id < 0 && seen.store_id < 0) {',
      },
    ],
  },
  {
    name: 'a change to the present status is refused as a conflict',
    failure: '–',
    changes: [
      {
        file: 'server/features/stock/inventory/change-state.ts',
        find: 'if (frame.status === after.status && frame.store_id === after.store_id) return { rows: [] }',
        put: 'if (frame.status === after.status && frame.store_id < 0) return { rows: [] }',
      },
    ],
  },
  {
    name: 'a change of a frame is attributed to its deliverer',
    failure: '–',
    changes: [
      {
        file: 'server/features/stock/inventory/change-state.ts',
        find: 'apply: async ({ writing, actor, body, capturedAt: at }) => {',
        put: 'apply: async ({ writing, actor, body, capturedAt: at, deliverer }) => {',
      },
      {
        file: 'server/features/stock/inventory/change-state.ts',
        find: 'await control(writing, actor, frame,',
        put: 'await control(writing, { ...actor, id_user: deliverer?.id_user ?? actor.id_user }, frame,',
      },
    ],
  },
  {
    name: 'a frame that became something else is the same for every tablet',
    failure: '–',
    changes: [
      {
        file: 'server/features/stock/inventory/change-state.ts',
        find: "      revision: revision('chain'),\n",
        put: "      revision: revision('chain') > 0 ? frame.revision : 0,\n",
      },
    ],
  },
  {
    name: 'a second request for the same label is refused',
    failure: '–',
    changes: [
      {
        file: 'server/features/stock/labels/label-requests.ts',
        find: "      .onConflict((conflict) => conflict.doNothing())\n      .returning('id_request')\n",
        put: "      .returning('id_request')\n",
      },
    ],
  },
  {
    name: 'only one of two labels requested together is recorded',
    failure: '–',
    changes: [
      {
        file: 'src/domain/labels/record-label-requests.ts',
        find: '    pieces.map(({ id_inventory, sku }) =>',
        put: '    pieces.slice(0, 1).map(({ id_inventory, sku }) =>',
      },
    ],
  },
  {
    name: 'a restored server gives numbers of pieces again',
    failure: '–',
    from: 300_001,
    changes: [
      {
        file: 'server/platform/db/begin-new-past.ts',
        find: 'export const numbersSkipped = 10_000',
        put: 'export const numbersSkipped = -1',
      },
    ],
  },
]
