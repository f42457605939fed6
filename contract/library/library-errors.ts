import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of the frame library and the price book. */
export const libraryErrors = {
  'vendor-unknown': { status: 422, message: 'There is no such vendor' },
  'vendor-taken': { status: 409, message: 'There is a vendor of this name already' },
  'brand-taken': { status: 409, message: 'This vendor has a brand of this name already' },
  'product-unknown': { status: 404, message: 'There is no such product' },
  'product-changed': { status: 409, message: 'The product was changed by someone else meanwhile' },
  'product-taken': { status: 409, message: 'This brand has a product of this name already' },
  'model-unknown': { status: 404, message: 'There is no such model' },
  'model-changed': { status: 409, message: 'The model was changed by someone else meanwhile' },
  'model-taken': { status: 409, message: 'The product has this colour in this size already' },
  'upc-taken': { status: 409, message: 'Another model has this UPC' },
  'photo-unknown': { status: 404, message: 'There is no such photo' },
  'photo-changed': { status: 409, message: 'Someone else has changed the photo meanwhile' },
  'price-change-unknown': { status: 404, message: 'There is no such change of prices' },
  'price-change-settled': { status: 409, message: 'The change of prices has been made or taken back already' },
} as const satisfies ErrorEntries
