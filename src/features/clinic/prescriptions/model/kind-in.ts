import type { RxKind } from '#contract/rx/prescription.ts'

/** Reads the kind of a new prescription from an address. Glasses unless it says contact lenses. */
export const kindIn = (given: unknown): RxKind => (given === 'contact_lens' ? given : 'spectacle')
