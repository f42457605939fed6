import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdfPages } from '#server/features/patients/files/pdf-pages.ts'

const withObjects = (objects: string) => {
  const packed = deflateSync(objects)
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ])
}

test('counts pages of unpacked objects', () => {
  expect(pdfPages(Buffer.from('%PDF-1.7 << /Type /Pages /Count 3 >> << /Type /Page >> << /Type/Page >> << /Type /Page >>'))).toBe(3)
})

test('counts pages of packed objects', () => {
  expect(pdfPages(withObjects('<< /Type /Page >> '.repeat(2500)))).toBe(2500)
})

test('a PDF whose page list repeats one page a million times states the number itself', () => {
  expect(pdfPages(Buffer.from('%PDF-1.7 << /Count 4000000 /Type /Pages >> << /Type /Page >>'))).toBe(4_000_000)
})

test('unpacking stops at a limit', () => {
  expect(pdfPages(withObjects(' '.repeat(50_000_000)))).toBe(Infinity)
})

test('a stream that cannot be unpacked has no pages', () => {
  expect(pdfPages(Buffer.from('%PDF-1.7 << /Type /ObjStm >>\nstream\nnonsense\nendstream'))).toBe(0)
})
