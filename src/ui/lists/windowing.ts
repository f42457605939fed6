import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'

export type Windowing = Virtualizer<HTMLDivElement, HTMLDivElement>
type Options = VirtualizerOptions<HTMLDivElement, HTMLDivElement>
export type WindowingOptions = Omit<Options, 'observeElementRect' | 'observeElementOffset' | 'scrollToFn'>

/** Finds the rows in view. The list itself drives it, and keeps its rows when this code arrives. */
export function createWindowing(options: WindowingOptions): Windowing {
  return new Virtualizer(whole(options))
}

export function updateWindowing(windowing: Windowing, options: WindowingOptions): void {
  windowing.setOptions(whole(options))
}

function whole(options: WindowingOptions): Options {
  return { ...options, observeElementRect, observeElementOffset, scrollToFn: elementScroll }
}
