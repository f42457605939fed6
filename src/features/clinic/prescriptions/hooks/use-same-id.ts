import { useRef } from 'react'
import { v7 as uuidv7 } from 'uuid'

/**
 * Gives the same id to the same content, so that a press after a lost answer adds it only once. `taken` says that the
 * server has it. The same content then gets a new id.
 */
export function useSameId(): { idOf: (content: unknown) => string; taken: () => void } {
  const last = useRef<{ text: string; id: string } | null>(null)
  return {
    idOf(content) {
      const text = JSON.stringify(content)
      if (last.current?.text !== text) last.current = { text, id: uuidv7() }
      return last.current.id
    },
    taken() {
      last.current = null
    },
  }
}
