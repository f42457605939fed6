/** Matches an element by its whole text, also when names in it are separate elements. */
export function wholeText(text: string | RegExp): (_: string, element: Element | null) => boolean {
  const reads = (element: Element | null) => {
    const words = element?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
    return typeof text === 'string' ? words === text : text.test(words)
  }
  return (_, element) => reads(element) && ![...(element?.children ?? [])].some(reads)
}
