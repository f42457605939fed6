import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of receiving. */
export const receivingErrors = {
  'store-invoice-unknown': { status: 404, message: 'No such receipt in your stores' },
  'vendor-invoice-unknown': { status: 404, message: 'No such vendor invoice in your stores' },
  'vendor-invoice-changed': { status: 409, message: 'The vendor invoice was changed by someone else' },
  'vendor-invoice-not-allowed': { status: 409, message: 'The vendor invoice’s status doesn’t allow this' },
  'vendor-invoice-taken': { status: 409, message: 'This vendor already has an invoice with this number' },
  'piece-known': { status: 409, message: 'This tag is already in stock' },
  'piece-to-confirm': { status: 409, message: 'Someone must confirm that this was received' },
  'piece-in-use': { status: 409, message: 'One of its frames was sold or moved' },
} as const satisfies ErrorEntries
