// The embedded database in its own thread: a PGlite call blocks the thread that makes it, and the thread that answers
// requests must not block. JavaScript, because worker threads load no TypeScript in development.
import fs from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/**
 * The file system of PGlite, with the fsync that it lacks: as shipped, no write is ever forced to the disk.
 */
class DurableFileSystem extends NodeFS {
  async init(pglite, options) {
    const made = await super.init(pglite, options)
    made.emscriptenOpts.preRun.push((module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd === undefined) syncPath(module.NODEFS.realPath(stream.node))
        else fs.fsyncSync(stream.nfd)
        return 0
      }
    })
    return made
  }
}

function syncPath(file) {
  const descriptor = fs.openSync(file, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

const settings = [
  // The default, fdatasync, never reaches the host.
  'wal_sync_method=fsync',
  'max_wal_size=96MB',
  'min_wal_size=32MB',
  'timezone=UTC',
]
/** Our parameters follow PGlite's, without its `-F`, which switches fsync off. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...settings.flatMap((setting) => ['-c', setting]),
]

/** Opens a database in a folder. It is made in a side folder and renamed, so that a kill leaves a whole one or none. */
async function openFolder(folder) {
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) {
    const side = `${folder}.new`
    fs.rmSync(side, { recursive: true, force: true })
    fs.mkdirSync(side, { mode: 0o700 })
    const fresh = await PGlite.create({ fs: new DurableFileSystem(side) })
    await fresh.close()
    fs.rmSync(path.join(side, 'postmaster.pid'), { force: true })
    fs.renameSync(side, folder)
    syncPath(path.dirname(folder))
  }
  // A kill during the start leaves this file empty, and PostgreSQL would then never start again. Our own lock keeps
  // other processes out, see folder-lock.ts.
  fs.rmSync(path.join(folder, 'postmaster.pid'), { force: true })
  return await PGlite.create({ fs: new DurableFileSystem(folder), startParams })
}

async function openMemory(dumpFile) {
  if (!dumpFile) return await PGlite.create()
  return await PGlite.create({ loadDataDir: new Blob([fs.readFileSync(dumpFile)]) })
}

const database = workerData.folder ? await openFolder(workerData.folder) : await openMemory(workerData.dumpFile)

/** Runs one request of the PostgreSQL wire protocol, and returns all that the database answers to it. */
async function exchange(bytes) {
  const chunks = []
  await database.execProtocolRawStream(bytes, { onRawData: (chunk) => chunks.push(Buffer.from(chunk)) })
  return new Uint8Array(Buffer.concat(chunks))
}

const tasks = {
  exchange: ({ bytes }) => exchange(bytes),
  async dump({ file }) {
    const dump = await database.dumpDataDir('none')
    fs.writeFileSync(file, Buffer.from(await dump.arrayBuffer()))
  },
  close: () => database.close(),
}

async function answer({ id, task, ...request }) {
  try {
    const result = await tasks[task](request)
    parentPort.postMessage({ id, answer: result }, result instanceof Uint8Array ? [result.buffer] : [])
  } catch (error) {
    parentPort.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
  if (task === 'close') parentPort.close()
}

parentPort.on('message', (request) => void answer(request))
parentPort.postMessage({ ready: true })
