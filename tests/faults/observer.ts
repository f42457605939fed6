import type { BrowserContext } from 'playwright-core'

/** The card's word for the scan of a code: the tablet has it, the server has it, or it was undone. */
export type Word = 'Saved' | 'Sent' | 'Removed'
/** `at` is ms of the machine's clock, which server, tablets and lab share. */
export type Said = { sheet: string; code: string; word: Word; at: number }

/** Records what every window of this tablet says, from the first moment of each page. */
export async function listen(context: BrowserContext, hear: (said: Said) => void): Promise<void> {
  await context.exposeBinding('lorgnetteSaid', (_, said: Said) => hear(said))
  await context.addInitScript(() => {
    const codes = /DT-\d{6}|NX-[0-9A-Z]+-\d+/
    const told = new Set<string>()
    const say: unknown = Reflect.get(window, 'lorgnetteSaid')
    function tell(code: string | undefined, word: string) {
      const sheet = /[0-9a-f-]{36}$/.exec(location.pathname)?.[0]
      const key = `${sheet} ${code} ${word}`
      if (!sheet || !code || told.has(key) || typeof say !== 'function') return
      told.add(key)
      Reflect.apply(say, window, [{ sheet, code, word, at: Date.now() }])
    }
    const markIn = (place: Element) =>
      [...place.querySelectorAll('span')].map((span) => span.textContent.trim()).find((text) => text === 'Saved' || text === 'Sent')
    function look() {
      const card = document.querySelector('[aria-label="Last scan"]')
      const outcome = card?.querySelector('[data-outcome]')?.getAttribute('data-outcome')
      if (card && outcome) {
        // The text beside an unknown code also names similar codes.
        const code = (outcome === 'unknown' ? /NX-[0-9A-Z]+-\d+/ : codes).exec(card.textContent)?.[0]
        const mark = markIn(card)
        if (mark) tell(code, mark)
        if (outcome === 'undone') tell(code, 'Removed')
      }
      for (const row of document.querySelectorAll('[aria-label="Count log"] [role="listitem"]')) {
        if (row.textContent.includes('Undo by')) continue
        const mark = markIn(row)
        if (mark) tell(codes.exec(row.textContent)?.[0], mark)
      }
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  })
}
