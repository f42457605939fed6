// npm run faults -- --torn-logs 100: how often Chromium loses durable data when it dies during heavy writes, without
// and with `beginNewLog` at each start. It needs no product and no server: pages write, kills follow, and it counts the
// surviving rows.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import esbuild from 'esbuild'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { wait } from '#tests/faults/network-faults.ts'
import { openTablet } from '#tests/support/browser.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const kills = Number(process.argv[2])
const page = `
import { beginNewLog } from ${JSON.stringify(path.join(root, 'src/db/indexed/begin-new-log.ts'))}
import { resultOf } from ${JSON.stringify(path.join(root, 'src/db/indexed/request.ts'))}
const over = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve
  transaction.onabort = () => reject(transaction.error)
})
/** Counts what is kept, keeps four things more, and returns how many there were. */
window.keep = async (withNewLog) => {
  const opening = indexedDB.open('kills', 1)
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('kept', { autoIncrement: true })
    opening.result.createObjectStore('mirror')
  }
  const database = window.database = await resultOf(opening)
  const kept = await resultOf(database.transaction('kept').objectStore('kept').count())
  if (withNewLog) await beginNewLog(indexedDB)
  await new Promise((resolve) => setTimeout(resolve, 400))
  for (let i = 0; i < 4; i++) {
    const transaction = database.transaction('kept', 'readwrite', { durability: 'strict' })
    transaction.objectStore('kept').put('a scan')
    await over(transaction)
  }
  return kept
}
/** Writes as a mirror does that is filled, until it is killed; resolves when it has begun. */
window.fill = async () => {
  const value = crypto.getRandomValues(new Uint8Array(30_000))
  const some = async () => {
    const transaction = window.database.transaction('mirror', 'readwrite')
    for (let key = 0; key < 20; key++) transaction.objectStore('mirror').put(value, key)
    await over(transaction)
  }
  await some()
  void (async () => {
    for (;;) await some()
  })()
}`
const script = esbuild.buildSync({
  stdin: { contents: page, resolveDir: root, loader: 'ts' },
  tsconfig: path.join(root, 'tsconfig.json'),
  bundle: true,
  format: 'esm',
  write: false,
}).outputFiles[0]?.text

/** The functions that the page above puts on its window. */
type Keeping = { keep(withNewLog: boolean): Promise<number>; fill(): Promise<void> }

async function count(origin: string, withNewLog: boolean): Promise<void> {
  const random = new SeededRandom(`torn logs ${withNewLog}`)
  let tablet = await openTablet()
  let kept = 0
  let losses = 0
  for (let kill = 0; kill < kills; kill++) {
    const window = tablet.context.pages()[0] ?? (await tablet.context.newPage())
    await window.goto(origin)
    const found = await window.evaluate((wanted) => (globalThis as unknown as Keeping).keep(wanted), withNewLog)
    if (found !== kept) {
      losses += 1
      console.log(`after ${kill} kills ${found} of ${kept} are left`)
    }
    kept = found + 4
    await window.evaluate(() => (globalThis as unknown as Keeping).fill())
    await wait(random.int(0, 60))
    await tablet.kill()
    tablet = await openTablet({ profile: tablet.profile })
  }
  console.log(`${withNewLog ? 'with' : 'without'} a new log at each start: ${kills} kills, everything lost ${losses} times`)
  await tablet.close()
  removeFolder(tablet.profile)
}

const server = http.createServer((_, answer) => {
  answer.setHeader('content-type', 'text/html')
  answer.end(`<script type="module">${script}</script>`)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://localhost:${(server.address() as AddressInfo).port}`
for (const withNewLog of [false, true]) await count(origin, withNewLog)
server.close()
