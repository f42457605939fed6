import { expect, test } from 'vitest'
import { typeOfBytes } from './file-types.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test.each([
  ['%PDF-1.7\n', 'application/pdf'],
  ['\xff\xd8\xff\xe0\x00\x10JFIF', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR', 'image/png'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['GIF89a', 'image/gif'],
  ['\x00\x00\x00\x18ftypheic', 'image/heic'],
  ['\x00\x00\x00\x18ftypmif1', 'image/heic'],
  ['II*\x00', 'image/tiff'],
  ['MM\x00*', 'image/tiff'],
  [`${'\x00'.repeat(128)}DICM`, 'application/dicom'],
])('%j… is %s', (head, mime) => {
  expect(typeOfBytes(bytes(head))?.mime).toBe(mime)
})

test.each([
  '',
  '%PD',
  'RIFF\x10\x00\x00\x00WAVEfmt ',
  '\x00\x00\x00\x18ftypmp42',
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '<!doctype html><script>',
  'MZ\x90\x00',
  'PK\x03\x04',
  ' %PDF-1.7',
])('%j… is none that is taken', (head) => {
  expect(typeOfBytes(bytes(head))).toBeNull()
})
