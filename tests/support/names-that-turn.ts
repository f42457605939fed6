/** Where one of these names stands in a line that it could turn round. A choice of a list of the browser's is a line of its own. */
export function namesThatTurn(...names: string[]): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? ''
    const isAlone = node.parentElement?.closest('bdi, option, textarea') !== null
    if (!isAlone && names.some((name) => text.includes(name))) found.push(text)
  }
  return found
}
