const loadMs = 20_000

/**
 * Prints the file at an address through a hidden frame. @throws when the browser does not show it, or refuses to print
 * it
 */
export async function printFile(address: string): Promise<void> {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden'
  frame.title = 'Printing'
  const loaded = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The file did not load')), loadMs)
    frame.addEventListener('load', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  // The frame stays until the next print: a browser that opens its dialog later still needs it.
  document.querySelector('iframe[data-printing]')?.remove()
  frame.dataset['printing'] = ''
  frame.src = address
  document.body.append(frame)
  await loaded
  const { contentWindow } = frame
  if (!contentWindow) throw new Error('The frame is gone')
  contentWindow.focus()
  contentWindow.print()
}

let printed: string | null = null

/** The same for a file in the memory of this page. */
export async function printBlob(file: Blob): Promise<void> {
  const former = printed
  printed = URL.createObjectURL(file)
  await printFile(printed)
  // The former frame is gone.
  if (former !== null) URL.revokeObjectURL(former)
}

/** False in browsers that hand a PDF to another app instead of showing it, as on most tablets and phones. */
export function canPrintPdf(): boolean {
  return (navigator as { pdfViewerEnabled?: boolean }).pdfViewerEnabled !== false
}
