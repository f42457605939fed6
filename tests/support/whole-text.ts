/** Finds what reads so as a whole, though names in it are elements of their own. */
export function wholeText(text: string | RegExp): (_: string, element: Element | null) => boolean {
  const reads = (element: Element | null) => {
    const words = element?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
    return typeof text === 'string' ? words === text : text.test(words)
  }
  return (_, element) => reads(element) && ![...(element?.children ?? [])].some(reads)
}
