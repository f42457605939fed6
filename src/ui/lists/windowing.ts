import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'

export type Windowing = Virtualizer<HTMLDivElement, HTMLDivElement>
type Options = VirtualizerOptions<HTMLDivElement, HTMLDivElement>
export type WindowingOptions = Omit<Options, 'observeElementRect' | 'observeElementOffset' | 'scrollToFn'>

/** Finds out which rows are in view. Driven by the list itself, whose rows stay what they are when this arrives. */
export function createWindowing(options: WindowingOptions): Windowing {
  return new Virtualizer(whole(options))
}

export function updateWindowing(windowing: Windowing, options: WindowingOptions): void {
  windowing.setOptions(whole(options))
}

function whole(options: WindowingOptions): Options {
  return { ...options, observeElementRect, observeElementOffset, scrollToFn: elementScroll }
}
