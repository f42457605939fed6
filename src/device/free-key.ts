const fields = 'input, select, textarea, [contenteditable=true]'

/** Whether a key that was just pressed is free for a shortcut: nobody types in a field, and no dialog is open. */
export function isFreeKey({ ctrlKey, metaKey, altKey, target }: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): boolean {
  return !ctrlKey && !metaKey && !altKey && !isDialogOpen() && !(target instanceof Element && target.matches(fields))
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null
}
