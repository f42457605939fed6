/** One family of an OpenMetrics text. */
export type Family = { type: string; help: string; samples: Sample[] }
export type Sample = { name: string; labels: Record<string, string>; value: number }

const suffixes: Record<string, string[]> = {
  counter: ['_total', '_created'],
  histogram: ['_bucket', '_count', '_sum', '_created'],
  gauge: [''],
}
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelPart = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

/**
 * Parses an OpenMetrics text as strictly as the standard.
 * @throws an error that names the line with a violation
 */
export function parseOpenMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('# EOF\n')) throw new Error('the text does not end with # EOF')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let name = ''
  for (const line of text.slice(0, -'# EOF\n'.length).trimEnd().split('\n')) {
    const [, kind, subject = '', rest = ''] = /^# (HELP|TYPE|UNIT) (\S+) (.*)$/.exec(line) ?? []
    if (kind !== undefined) {
      if (subject !== name && families.has(subject)) throw new Error(`${subject} stands in two places`)
      name = subject
      const family = families.get(name) ?? { type: 'unknown', help: '', samples: [] }
      families.set(name, family)
      if (kind === 'TYPE') family.type = rest
      if (kind === 'HELP') family.help = rest
      if (kind === 'HELP' && /(^|[^\\])"/.test(rest)) throw new Error(`a quotation mark in ${line}`)
      continue
    }
    const family = families.get(name)
    const sample = readSample(line)
    const allowed = (suffixes[family?.type ?? ''] ?? []).map((suffix) => name + suffix)
    if (!family || !allowed.includes(sample.name)) throw new Error(`this sample belongs to no family before it: ${line}`)
    const key = line.slice(0, line.lastIndexOf(' '))
    if (seen.has(key)) throw new Error(`twice: ${key}`)
    seen.add(key)
    const bound = sample.labels['le']
    if (sample.name.endsWith('_bucket') && !/^(\d+\.\d+|\d+(\.\d+)?e[-+]\d+|\+Inf)$/.test(bound ?? '')) throw new Error(`no float: ${line}`)
    if (family.type !== 'gauge' && !(sample.value >= 0)) throw new Error(`below nothing: ${line}`)
    family.samples.push(sample)
  }
  for (const [of, family] of families) if (family.type === 'histogram') checkBuckets(of, family)
  return families
}

function readSample(line: string): Sample {
  const [, name, inBraces, number] = sampleLine.exec(line) ?? []
  if (name === undefined || number === undefined) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  for (let rest = inBraces ?? ''; rest !== '';) {
    const [whole, label, value] = labelPart.exec(rest) ?? []
    if (whole === undefined || label === undefined || value === undefined) throw new Error(`no labels: ${line}`)
    if (label in labels) throw new Error(`a label twice: ${line}`)
    labels[label] = value
    rest = rest.slice(whole.length)
  }
  const value = /^\+?inf$/i.test(number) ? Infinity : Number(number)
  if (Number.isNaN(value) && !/^nan$/i.test(number)) throw new Error(`no number: ${line}`)
  return { name, labels, value }
}

/** Buckets must rise, and the last one must hold the full count. */
function checkBuckets(name: string, { samples }: Family): void {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...others } = sample.labels
    const key = JSON.stringify(others)
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  for (const all of series.values()) {
    const buckets = all.filter((sample) => sample.name === `${name}_bucket`)
    const values = buckets.map(({ value }) => value)
    const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('+Inf', 'Infinity')))
    const count = all.find((sample) => sample.name === `${name}_count`)?.value
    const isRising = (list: number[]) => list.every((value, at) => at === 0 || value >= (list[at - 1] ?? 0))
    if (!isRising(values) || !isRising(bounds)) throw new Error(`the buckets of ${name} do not rise`)
    if (bounds.at(-1) !== Infinity || values.at(-1) !== count) throw new Error(`the last bucket of ${name} does not hold all`)
  }
}

/** Returns the value of one sample, or 0 if it was never counted. */
export function valueOf(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const samples = [...families.values()].flatMap((family) => family.samples).filter((sample) => sample.name === name)
  const wanted = Object.entries(labels)
  return samples.find((sample) => wanted.every(([label, value]) => sample.labels[label] === value))?.value ?? 0
}
