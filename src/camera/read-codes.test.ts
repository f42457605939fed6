import fs from 'node:fs'
import path from 'node:path'
import bwipjs from 'bwip-js/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadDecoder, readCodes } from './read-codes.ts'

beforeAll(async () => {
  const wasm = fs.readFileSync(path.resolve('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm'))
  await loadDecoder({ wasmBinary: new Uint8Array(wasm).buffer })
})

const drawn = async (bcid: string, text: string, rotate: 'N' | 'R' = 'N') =>
  new Uint8Array(await bwipjs.toBuffer({ bcid, text, scale: 3, padding: 12, backgroundcolor: 'ffffff', rotate }))

test.each([
  ['code128', 'F-100012', 'F-100012'],
  ['code39', 'K 14-B', 'K 14-B'],
  ['ean13', '4006381333931', '4006381333931'],
  ['ean8', '73513537', '73513537'],
  ['upca', '036000291452', '036000291452'],
  ['qrcode', 'https://lorgnette.example/f/100012', 'https://lorgnette.example/f/100012'],
  ['datamatrix', 'F-100012 ÅÄÖ', 'F-100012 ÅÄÖ'],
])('a %s is read as its label prints it, upright and on its side', async (symbology, text, printed) => {
  expect(await readCodes(await drawn(symbology, text))).toEqual([printed])
  expect(await readCodes(await drawn(symbology, text, 'R'))).toEqual([printed])
})

test('a blank picture has no code, and bytes that are no picture have none either', async () => {
  const white = { data: new Uint8ClampedArray(64 * 64 * 4).fill(255), width: 64, height: 64, colorSpace: 'srgb' } as ImageData
  expect(await readCodes(white)).toEqual([])
  expect(await readCodes(new TextEncoder().encode('not a picture'))).toEqual([])
})

/** Photographs of labels from a phone: tilted, dim, blurred, reflecting. They are not part of this repository. */
const photographs = path.join(process.env.LORGNETTE_TEST_DATA ?? '../shared/data', 'barcodes-zxing')

describe.skipIf(!fs.existsSync(photographs))('photographs of labels (skipped without test data)', () => {
  const rowsOf = (name: string) =>
    fs
      .readFileSync(path.join(photographs, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','))

  test('at least as many codes are right as with the better of two other decoders, and none is wrong', async () => {
    const [head = [], ...rows] = rowsOf('baseline_decoders.csv')
    const columns = ['zxing_wasm_result', 'zxing_js_result'].map((name) => head.indexOf(name))
    const baseline = Math.max(...columns.map((column) => rows.filter((row) => row[column] === 'ok').length))
    const wrong: string[] = []
    let right = 0
    for (const [file = '', , expected = ''] of rows) {
      const read = await readCodes(new Uint8Array(fs.readFileSync(path.join(photographs, 'images', file))))
      const labels = read.map((code) => code.trim())
      if (expected !== '' && labels.includes(expected.trim())) right += 1
      wrong.push(...labels.filter((label) => label !== expected.trim()).map((label) => `${file}: ${label}`))
    }
    expect(wrong).toEqual([])
    expect(right).toBeGreaterThanOrEqual(baseline)
    expect(baseline).toBeGreaterThan(10)
  })
})
