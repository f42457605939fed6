import { openOurDevice } from './our-device.ts'
import { deleteDatabase } from './row-store.ts'
import { timed } from './timing.ts'

const hotName = 'bench-pull'
const pulledName = 'bench-pull-mirror'

/** Counts the writes into the frames' database. */
type Written = { records: number; characters: number; pages: number }

function watchWrites(): () => Written {
  const written: Written = { records: 0, characters: 0, pages: 0 }
  const put = Reflect.get(IDBObjectStore.prototype, 'put')
  IDBObjectStore.prototype.put = function (value: unknown, ...more: IDBValidKey[]) {
    if (this.transaction.db.name === pulledName) {
      written.records += 1
      written.characters += JSON.stringify(value).length
      if (this.name === 'pages') written.pages += 1
    }
    return Reflect.apply(put, this, [value, ...more])
  }
  return () => {
    IDBObjectStore.prototype.put = put
    return written
  }
}

/** From the request until every search works; ms. The frames stay for `pullChange`. */
export async function pullAll(total: number, probe: string): Promise<number> {
  await deleteDatabase(hotName)
  await deleteDatabase(pulledName)
  const device = await openOurDevice(hotName, pulledName)
  await device.frames.ready()
  const took = await timed(() => device.pull.run(['frames']))
  const size = device.frames.size()
  if (size !== total || !device.frames.find(probe)) throw new Error(`The pull brought ${size} of ${total} frames`)
  await device.close()
  return took
}

/** The same bytes downloaded and parsed, and nothing kept. */
export async function bareDownload(total: number): Promise<number> {
  let rows = 0
  const took = await timed(async () => {
    const text = await (await fetch('/api/sync/pull?collection=frames')).text()
    for (const line of text.split('\n')) {
      const said = line === '' ? null : JSON.parse(line)
      if (said?.type === 'page') rows += said.rows.length
    }
  })
  if (rows !== total) throw new Error(`The download brought ${rows} of ${total} rows`)
  return took
}

/** Pulls a change of some rows into the present frames. Returns its writes beside the time. */
export async function pullChange(times: number, probe: string): Promise<{ ms: number[]; written: Written }> {
  const device = await openOurDevice(hotName, pulledName)
  await device.frames.ready()
  const ms: number[] = []
  const ended = watchWrites()
  for (let turn = 0; turn < times; turn++) ms.push(await timed(() => device.pull.run(['frames'])))
  const written = ended()
  const found = device.frames.find(probe)
  if (found?.by !== 'serial' || found.frame.revision < 2) throw new Error('The change did not arrive')
  await device.close()
  return { ms, written }
}
