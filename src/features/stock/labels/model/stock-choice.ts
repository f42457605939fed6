import { labelStockNames, type LabelStock, usualLabelStock } from '#contract/stock/labels.ts'

const key = 'lorgnette.label-stock'

/** What the printer beside this device is loaded with, as it was chosen last. */
export function rememberedStock(): LabelStock {
  try {
    const stored = localStorage.getItem(key)
    return labelStockNames.find((name) => name === stored) ?? usualLabelStock
  } catch {
    // Storage can be forbidden: it is chosen anew each time.
    return usualLabelStock
  }
}

export function rememberStock(stock: LabelStock): void {
  try {
    localStorage.setItem(key, stock)
  } catch {
    // It holds until the page is left.
  }
}
