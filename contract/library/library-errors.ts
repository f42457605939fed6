import type { ErrorEntries } from '#contract/core/error-body.ts'

/** Refusals of the frame library and the price book. */
export const libraryErrors = {
  'vendor-unknown': { status: 422, message: 'Vendor not found' },
  'vendor-taken': { status: 409, message: 'A vendor with this name already exists' },
  'brand-taken': { status: 409, message: 'This vendor already has a brand with this name' },
  'product-unknown': { status: 404, message: 'Product not found' },
  'product-changed': { status: 409, message: 'The product was changed by someone else' },
  'product-taken': { status: 409, message: 'This brand already has a product with this name' },
  'model-unknown': { status: 404, message: 'Model not found' },
  'model-changed': { status: 409, message: 'The model was changed by someone else' },
  'model-taken': { status: 409, message: 'The product already has this color and size' },
  'upc-taken': { status: 409, message: 'Another model has this UPC' },
  'photo-unknown': { status: 404, message: 'Photo not found' },
  'photo-changed': { status: 409, message: 'Someone else changed the photo' },
  'price-change-unknown': { status: 404, message: 'Price change not found' },
  'price-change-settled': { status: 409, message: 'The price change was already applied or canceled' },
} as const satisfies ErrorEntries
