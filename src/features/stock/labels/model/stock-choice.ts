import { labelStockNames, type LabelStock, usualLabelStock } from '#contract/stock/labels.ts'

const key = 'lorgnette.label-stock'

/** Returns the label stock that this device used last. */
export function rememberedStock(): LabelStock {
  try {
    const stored = localStorage.getItem(key)
    return labelStockNames.find((name) => name === stored) ?? usualLabelStock
  } catch {
    // Storage may be forbidden. The user then chooses again each time.
    return usualLabelStock
  }
}

export function rememberStock(stock: LabelStock): void {
  try {
    localStorage.setItem(key, stock)
  } catch {
    // The choice then lasts until the page closes.
  }
}
