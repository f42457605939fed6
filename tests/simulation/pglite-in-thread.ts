import fs from 'node:fs'
import process from 'node:process'
import type { Duplex } from 'node:stream'
import { PGlite } from '@electric-sql/pglite'
import { pgliteStream } from '#server/platform/db/pglite-stream.ts'
import { KnownAnswers } from './known-answers.ts'

/**
 * Replaces the thread of the embedded database: the same engine and the same wire in this thread. A second thread would
 * answer at random moments. This one can also fail between any two statements.
 */

type Fault = 'none' | 'before' | 'after'

let engine: PGlite | null = null
/** Connections of a killed server get no more answers. */
let generation = 0
let faultAt: (query: string) => Fault = () => 'none'
let onKilled: () => void = () => {}

/** Starts a new, empty database. Making one takes seconds, so `file` keeps it for later processes. */
export async function startEngine(file: string): Promise<void> {
  if (fs.existsSync(file)) {
    engine = await PGlite.create({ loadDataDir: new Blob([fs.readFileSync(file)]) })
    return
  }
  engine = await PGlite.create()
  const dump = await engine.dumpDataDir('none')
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, Buffer.from(await dump.arrayBuffer()))
  fs.renameSync(draft, file)
}

function running(): PGlite {
  if (!engine) throw new Error('The engine was not started')
  return engine
}

/** Runs a statement beside the server: for seeds, backups and the oracle. */
export async function direct<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  known.note(known.effectOf(text))
  return (await running().query<Row>(text, values)).rows
}

/** @param changes the only tables that it may change; any table when left out */
export async function script(text: string, changes?: ReadonlyMap<string, number>): Promise<void> {
  if (changes === undefined) known.forgetAll()
  for (const [table, content] of changes ?? []) known.isAgain(table, content)
  await running().exec(text)
}

/** Kills every connection and undoes uncommitted work. */
export async function killConnections(): Promise<void> {
  generation += 1
  known.undo()
  await running().exec('rollback')
  statements.clear()
  status = 'I'
}

export function onStatement(fault: (statement: string) => Fault, killed: () => void): void {
  faultAt = fault
  onKilled = killed
}

async function exchange(bytes: Uint8Array, mine: number): Promise<Uint8Array> {
  if (mine !== generation) return await new Promise(() => {})
  const fault = faultAt(Buffer.from(bytes).toString('latin1'))
  if (fault === 'before') onKilled()
  else {
    const answer = ask(bytes)
    if (fault === 'none') return answer
    onKilled()
  }
  return await new Promise(() => {})
}

export const known = new KnownAnswers()
/** Whether a transaction is open, by the last byte of the last answer. */
let status = 'I'

function ask(bytes: Uint8Array): Uint8Array {
  const question = translate(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if ('refused' in question) return question.refused
  const answer = answerTo(question.statement, question.asked)
  return question.isPrepared ? Buffer.concat([parseComplete, answer]) : answer
}

function answerTo(statement: string, bytes: Buffer): Uint8Array {
  const before = status
  return known.answer(statement, status + bytes.toString('latin1'), () => ({ answer: run(bytes), isKept: status === before }))
}

/** The statements that the server's connection has prepared, by name, and those of the engine, by text. */
const statements = new Map<string, string>()
const inEngine = new Map<string, string>()
const parseComplete = Buffer.from([0x31, 0, 0, 0, 4])
const sync = Buffer.from([0x53, 0, 0, 0, 4])

type Question = { statement: string; asked: Buffer; isPrepared: boolean } | { refused: Uint8Array }

/**
 * Translates a message to statements that the engine keeps prepared. Otherwise it would plan every statement again
 * after each start of the server. `isPrepared`: the server also waits for the confirmation that its statement was
 * prepared.
 */
function translate(bytes: Buffer): Question {
  let statement = ''
  let isPrepared = false
  const asked: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    const kind = String.fromCharCode(bytes[at] ?? 0)
    const [first = '', second = ''] = bytes.toString('utf8', at + 5, end).split('\0', 2)
    if (kind === 'Q') return { statement: first, asked: bytes, isPrepared }
    if (kind === 'P') {
      statements.set(first, second)
      const refused = prepare(second)
      if (refused) return { refused }
      isPrepared = true
    } else if (kind === 'B') {
      statement = statements.get(second) ?? ''
      const texts = Buffer.byteLength(first) + Buffer.byteLength(second) + 2
      asked.push(message(kind, `${first}\0${inEngine.get(statement) ?? second}\0`, bytes.subarray(at + 5 + texts, end)))
    } else asked.push(bytes.subarray(at, end))
    at = end
  }
  return { statement, asked: Buffer.concat(asked), isPrepared }
}

/** @returns the engine's answer to a statement that it rejects, or null */
function prepare(statement: string): Uint8Array | null {
  if (inEngine.has(statement)) return null
  const name = `e${inEngine.size}`
  const answer = run(Buffer.concat([message('P', `${name}\0${statement}\0`, Buffer.alloc(2)), sync]))
  if (answer[0] !== parseComplete[0]) return answer
  inEngine.set(statement, name)
  return null
}

function message(kind: string, texts: string, rest: Buffer): Buffer {
  const head = Buffer.from(`${kind}____${texts}`)
  head.writeInt32BE(head.length - 1 + rest.length, 1)
  return Buffer.concat([head, rest])
}

function run(bytes: Uint8Array): Uint8Array {
  const answer = running().execProtocolRawSync(bytes)
  status = String.fromCharCode(answer.at(-1) ?? 0)
  return answer
}

/** Has the interface of the production module of this name. */
export class PgliteThread {
  static start(): Promise<PgliteThread> {
    return Promise.resolve(new PgliteThread())
  }
  connect(): Duplex {
    const mine = generation
    return pgliteStream((bytes) => exchange(bytes, mine))
  }
  dump(): Promise<void> {
    return Promise.reject(new Error('The simulation makes its backups otherwise'))
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
}
