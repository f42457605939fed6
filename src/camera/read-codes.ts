import { prepareZXingModule, readBarcodes, type ReaderOptions, type ZXingModuleOverrides } from 'zxing-wasm/reader'

/**
 * The code types on labels of frames and lenses. Interleaved 2 of 5 is left out: a part of such a code reads as a
 * shorter one.
 */
const options: ReaderOptions = {
  formats: ['Code128', 'Code39', 'EAN13', 'EAN8', 'UPCA', 'UPCE', 'QRCode', 'DataMatrix'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  // Two agreeing lines were wrong once, with a valid check digit.
  minLineCount: 3,
  maxNumberOfSymbols: 4,
  eanAddOnSymbol: 'Ignore',
}

/** Makes the decoder ready. @throws when it cannot be fetched or started; another call tries again */
export async function loadDecoder(overrides: ZXingModuleOverrides): Promise<void> {
  await prepareZXingModule({ overrides, fireImmediately: true })
}

/**
 * The codes in one picture, as their labels print them.
 *
 * @param picture pixels, or the bytes of a PNG or JPEG
 */
export async function readCodes(picture: ImageData | Uint8Array): Promise<string[]> {
  const found = await readBarcodes(picture, options)
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => asPrinted(format, text))
}

/** A UPC has twelve digits on the label. The decoder returns it as an EAN with a zero in front. */
function asPrinted(format: string, text: string): string {
  return format === 'EAN13' && text.startsWith('0') ? text.slice(1) : text
}
