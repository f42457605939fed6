import { expect, test } from 'vitest'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { modelPhotoEndpoints } from '#contract/library/model-photos.ts'
import { call, type Wire } from './call.ts'

test('an answer that never changes may come from the browser cache; every other answer comes from the server', async () => {
  const asked: [string, RequestInit][] = []
  const wire: Wire = {
    origin: 'https://clinic.example',
    schedule: () => () => undefined,
    fetch: (address, init) => {
      asked.push([address, init])
      return Promise.resolve(new Response('picture', { headers: { 'content-type': 'image/jpeg' } }))
    },
  }
  const id_photo = '0199f0a0-0000-4000-8000-000000000031'
  const photo = await call(wire, modelPhotoEndpoints.modelPhoto, { params: { id_photo } })
  expect(photo.ok && (await photo.value.text())).toBe('picture')
  await call(wire, inventoryEndpoints.lookUpFrame, { query: { sku: '100012' } })
  expect(asked.map(([address, { cache }]) => [address, cache])).toEqual([
    [`https://clinic.example/api/frame_library/photo/${id_photo}`, 'default'],
    ['https://clinic.example/api/inventory/lookup?sku=100012', 'no-store'],
  ])
})
