import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { emptyDatabase, emptyDatabasesBut } from './empty-database.ts'

const factory = new IDBFactory()

const opened = (name: string, make = false) =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = make ? factory.open(name, 3) : factory.open(name)
    request.onupgradeneeded = () => {
      for (const store of ['state', 'pages']) request.result.createObjectStore(store)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('It could not be opened'))
  })

async function filled(name: string): Promise<IDBDatabase> {
  const database = await opened(name, true)
  const writing = database.transaction(['state', 'pages'], 'readwrite')
  for (const store of ['state', 'pages']) writing.objectStore(store).put('something', 1)
  await new Promise((resolve) => (writing.oncomplete = resolve))
  return database
}

async function rowsOf(name: string): Promise<number> {
  const database = await opened(name)
  const reading = database.transaction([...database.objectStoreNames])
  const counts = [...database.objectStoreNames].map((store) => reading.objectStore(store).count())
  await new Promise((resolve) => (reading.oncomplete = resolve))
  database.close()
  return counts.reduce((sum, { result }) => sum + result, 0)
}

test('all rows are deleted even when another window blocks the database, and its tables stay', async () => {
  const sleeping = await filled('patients-1-aa')
  sleeping.onversionchange = null
  await emptyDatabase(factory, 'patients-1-aa')
  expect(await rowsOf('patients-1-aa')).toBe(0)
  const again = await opened('patients-1-aa')
  expect([again.version, [...again.objectStoreNames]]).toEqual([3, ['pages', 'state']])
  again.close()
  sleeping.close()
})

test('all databases of a kind but one are emptied; when they cannot be listed they stay', async () => {
  for (const name of ['patients-2-aa', 'patients-2-bb', 'patients-20-aa', 'frames']) (await filled(name)).close()
  await emptyDatabasesBut(factory, 'patients-2-', 'patients-2-bb')
  expect(await Promise.all(['patients-2-aa', 'patients-2-bb', 'patients-20-aa', 'frames'].map(rowsOf))).toEqual([0, 2, 2, 2])
  await emptyDatabasesBut({ open: () => Promise.reject(new Error('nobody asks')) } as unknown as IDBFactory, 'frames', '')
  expect(await rowsOf('frames')).toBe(2)
})

test('a database without tables stays', async () => {
  const bare = () =>
    new Promise<IDBDatabase>((resolve) => {
      const request = factory.open('bare')
      request.onsuccess = () => resolve(request.result)
    })
  ;(await bare()).close()
  await emptyDatabase(factory, 'bare')
  expect([...(await bare()).objectStoreNames]).toEqual([])
})
