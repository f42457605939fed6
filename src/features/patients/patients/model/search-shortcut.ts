import { isDialogOpen, isFreeKey } from '#src/device/free-key.ts'

/** Returns true for Ctrl or Cmd with the letter k, and for a slash outside a field. A dialog keeps all keys. */
export function isSearchShortcut(event: KeyboardEvent): boolean {
  if (event.key === '/') return isFreeKey(event)
  const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  return isK && !isDialogOpen()
}
