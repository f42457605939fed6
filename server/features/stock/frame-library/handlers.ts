import { addCustomGlasses, customGlassesOf } from '#server/features/stock/frame-library/custom-glasses.ts'
import { listProducts, searchTree, wholeTree } from '#server/features/stock/frame-library/library-tree.ts'
import { putModelPhoto, readModelPhoto, removeModelPhoto } from '#server/features/stock/frame-library/model-photos.ts'
import { modelsOfProduct } from '#server/features/stock/frame-library/models.ts'
import {
  addBrand,
  addModel,
  addProduct,
  saveVendor,
  updateModel,
  updateProduct,
} from '#server/features/stock/frame-library/save-library.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'

export const frameLibraryHandlers: HandlersOf<
  | 'libraryTree'
  | 'searchTree'
  | 'libraryProducts'
  | 'modelsByProduct'
  | 'addProduct'
  | 'updateProduct'
  | 'addModel'
  | 'updateModel'
  | 'addCustomGlasses'
  | 'customGlassesOf'
  | 'addVendor'
  | 'updateVendor'
  | 'addBrand'
  | 'putModelPhoto'
  | 'removeModelPhoto'
  | 'modelPhoto'
  | 'modelThumbnail'
> = {
  async libraryTree({ services }) {
    return await wholeTree(services.db.pool)
  },

  async searchTree({ services, query }) {
    return await searchTree(services.db.pool, query)
  },

  async libraryProducts({ services, query }) {
    return await listProducts(services.db.pool, query)
  },

  async modelsByProduct({ services, scope, params }) {
    return await modelsOfProduct(services.db.pool, params.id, scope.permissions.has('frame.see-cost'))
  },

  async addProduct({ services, scope, body: { brand_id, ...input } }) {
    return await addProduct(services, scope, brand_id, input)
  },

  async updateProduct({ services, scope, params, body: { version, ...input } }) {
    return await updateProduct(services, scope, params.id_product, version, input)
  },

  async addModel({ services, scope, body: { id_product, prices, ...input } }) {
    return await addModel(services, scope, id_product, input, prices)
  },

  async updateModel({ services, scope, params, body: { version, prices, ...input } }) {
    return await updateModel(services, scope, params.id_model, version, input, prices)
  },

  async addCustomGlasses({ services, scope, params, body }) {
    return await addCustomGlasses(services, scope, params.id_model, body)
  },

  async customGlassesOf({ services, params }) {
    return { glasses: await customGlassesOf(services.db.pool, params.id_model) }
  },

  async addVendor({ services, scope, body }) {
    return { vendor_id: await saveVendor(services, scope, null, body) }
  },

  async updateVendor({ services, scope, params, body }) {
    return { vendor_id: await saveVendor(services, scope, params.vendor_id, body) }
  },

  async addBrand({ services, scope, body }) {
    return { brand_id: await addBrand(services, scope, body) }
  },

  async putModelPhoto({ services, scope, params, body }) {
    return await putModelPhoto(services, scope, params.id_model, body)
  },

  async removeModelPhoto({ services, scope, params, query }) {
    return await removeModelPhoto(services, scope, params.id_model, query.replaces)
  },

  async modelPhoto({ services, params }) {
    return await readModelPhoto(services, params.id_photo, 'photo')
  },

  async modelThumbnail({ services, params }) {
    return await readModelPhoto(services, params.id_photo, 'thumbnail')
  },
}
