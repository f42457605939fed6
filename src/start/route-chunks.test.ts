import { expect, test } from 'vitest'
import { filesAt, type RouteChunks } from './route-chunks.ts'

const chunks: RouteChunks = {
  files: ['login.js', 'app.js', 'home.js', 'sheets.js', 'sheet.js', 'receipt.js'],
  login: [0],
  app: [1],
  pages: [
    ['/', [2]],
    ['/inventory/count-sheets', [3]],
    ['/inventory/count-sheets/$id', [4]],
    ['/receipts/$', [5]],
  ],
}
const at = (pathname: string) => filesAt(chunks, pathname, true)

test('each page asks for the app and for its own code', () => {
  expect(at('/')).toEqual(['app.js', 'home.js'])
  expect(at('/inventory/count-sheets')).toEqual(['app.js', 'sheets.js'])
  expect(at('/inventory/count-sheets/0199')).toEqual(['app.js', 'sheet.js'])
  expect(at('/receipts/0199/lines')).toEqual(['app.js', 'receipt.js'])
})

test('an unknown address only asks for the app, and the login screen only for itself', () => {
  expect(at('/nowhere')).toEqual(['app.js'])
  expect(filesAt(chunks, '/', false)).toEqual(['login.js'])
})
