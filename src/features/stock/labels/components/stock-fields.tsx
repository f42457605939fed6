import { useState } from 'react'
import { labelStockNames, labelStocks, type LabelStock } from '#contract/stock/labels.ts'
import { readTexts } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { rememberedStock, rememberStock } from '../model/stock-choice.ts'

const fresh = { used: '' }
const options = labelStockNames.map((name) => ({ value: name, label: labelStocks[name].name }))

export type StockChoice = {
  stock: LabelStock
  setStock: (stock: LabelStock) => void
  usedText: string
  setUsedText: (typed: string) => void
  /** The used places of the first page, or null when the typed text is no valid number. */
  skip: number | null
  /** Clears the typed number after printing, because the sheet has other used places now. */
  forget: () => void
}

/** The label stock and its used places. Starts with the stock that this device used last. */
export function useStockChoice(): StockChoice {
  const [stock, setStock] = useState(rememberedStock)
  const draft = useTyped<Record<string, string>>('own: used places of the label sheet', fresh, readTexts)
  const usedText = draft.typed?.['used'] ?? ''
  const setUsedText = (used: string) => draft.change({ used })
  const typed = usedText.trim()
  const skip = /^\d{0,2}$/.test(typed) && Number(typed) < labelStocks[stock].perPage ? Number(typed) : null
  return {
    stock,
    setStock: (next) => {
      rememberStock(next)
      setStock(next)
      setUsedText('')
    },
    usedText,
    setUsedText,
    skip,
    forget: draft.startOver,
  }
}

export function StockFields({ stock, setStock, usedText, setUsedText, skip }: StockChoice) {
  const { perPage } = labelStocks[stock]
  return (
    <div className={`grid items-start gap-4 ${perPage > 1 ? 'sm:grid-cols-[3fr_2fr]' : ''}`}>
      <SelectField
        label="Labels"
        options={options}
        value={stock}
        onChange={setStock}
        hint={stock === 'jewellery-30299' ? 'Most store tags fit only as a Data Matrix, which laser scanners can’t read.' : undefined}
      />
      {perPage > 1 && (
        <TextField
          label="Labels used on the first page"
          inputMode="numeric"
          figures
          maxLength={2}
          placeholder="0"
          value={usedText}
          onChange={setUsedText}
          error={skip === null ? `Enter a number from 0 to ${perPage - 1}` : undefined}
        />
      )}
    </div>
  )
}
