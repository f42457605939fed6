import { useRef } from 'react'
import { v7 as uuidv7 } from 'uuid'

/**
 * Gives what is sent an id that is the same however often the same is sent: pressed again after an answer that was lost, it is there once.
 * `taken` says that the server has it, so that the same may be wanted a second time.
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
