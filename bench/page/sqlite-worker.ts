import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import { hits } from './row-store.ts'
import type { SqliteCall } from './sqlite-store.ts'

type Database = {
  exec(question: { sql: string; bind?: unknown[]; rowMode?: 'object'; returnValue?: 'resultRows' }): unknown
  close(): void
}

let database: Database | null = null

async function open(): Promise<void> {
  const sqlite3 = await sqlite3InitModule()
  const pool = await sqlite3.installOpfsSAHPoolVfs({ name: 'bench-sqlite' })
  database = new pool.OpfsSAHPoolDb('/frames.db') as Database
  ask('create table if not exists frames (id_inventory integer primary key, serial text, sku text, upc text, store_id integer, row text)')
  for (const column of ['serial', 'sku', 'upc', 'store_id']) ask(`create index if not exists frames_${column} on frames (${column})`)
}

function ask(sql: string, bind: unknown[] = []): unknown {
  if (!database) throw new Error('The database is not open')
  return database.exec({ sql, ...(bind.length > 0 && { bind }), rowMode: 'object', returnValue: 'resultRows' })
}

function fill(frames: Extract<SqliteCall, { ask: 'fill' }>['frames']): void {
  ask('begin')
  for (const frame of frames) {
    const { id_inventory, serial, sku, upc, store_id } = frame
    ask('insert or replace into frames values (?, ?, ?, ?, ?, ?)', [id_inventory, serial, sku, upc, store_id, JSON.stringify(frame)])
  }
  ask('commit')
}

async function answer(call: SqliteCall): Promise<unknown> {
  switch (call.ask) {
    case 'open':
      return await open()
    case 'fill':
      return fill(call.frames)
    case 'count': {
      const [row] = ask('select count(*) as count from frames') as { count: number }[]
      return row?.count
    }
    case 'get':
      return ask('select * from frames where serial = ?', [call.serial])
    case 'beginning':
      return ask(`select * from frames where serial >= ? and serial < ? order by serial limit ${hits}`, [call.typed, `${call.typed}\uffff`])
    case 'containing': {
      const part = `%${call.part}%`
      return ask(`select * from frames where serial like ? or sku like ? or upc like ? limit ${hits}`, [part, part, part])
    }
    case 'close':
      database?.close()
      return undefined
  }
}

self.onmessage = async ({ data }: MessageEvent<{ number: number; call: SqliteCall }>) => {
  try {
    self.postMessage({ number: data.number, value: await answer(data.call) })
  } catch (error) {
    self.postMessage({ number: data.number, error: error instanceof Error ? error.message : String(error) })
  }
}
