import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of receiving. */
export const receivingErrors = {
  'store-invoice-unknown': { status: 404, message: 'There is no such receipt in your stores' },
  'vendor-invoice-unknown': { status: 404, message: 'There is no such vendor invoice in your stores' },
  'vendor-invoice-changed': { status: 409, message: 'The vendor invoice was changed by someone else meanwhile' },
  'vendor-invoice-not-allowed': { status: 409, message: 'This is not possible in the state the vendor invoice is in' },
  'vendor-invoice-taken': { status: 409, message: 'An invoice of this vendor with this number was entered already' },
  'piece-known': { status: 409, message: 'This is the tag of a piece that the chain has already' },
  'piece-to-confirm': { status: 409, message: 'A person must confirm that this is received' },
  'piece-in-use': { status: 409, message: 'A piece of it was sold or moved' },
} as const satisfies ErrorEntries
