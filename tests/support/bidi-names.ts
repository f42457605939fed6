/**
 * Returns the lines that hold one of these names without isolating it. A name can change the text direction after it.
 * An option of a list is a line of its own.
 */
export function unisolatedNames(...names: string[]): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? ''
    const isAlone = node.parentElement?.closest('bdi, option, textarea') !== null
    if (!isAlone && names.some((name) => text.includes(name))) found.push(text)
  }
  return found
}
