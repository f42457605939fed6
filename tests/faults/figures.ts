/** The number of acts and findings, summed over the rounds. */
export type Figures = {
  rounds: number
  browserKills: number
  serverKills: number
  windowsClosed: number
  handOvers: number
  commands: number
  scans: number
  punches: number
  toldSaved: number
  toldSent: number
  /** Commands that wait for a person, with a reason. */
  setAside: number
  /** Acts that a kill, a lost session or bad weather interrupted. */
  cutOff: number
  pageErrors: number
  faults: number
}
export const noFigures: Figures = {
  rounds: 0,
  browserKills: 0,
  serverKills: 0,
  windowsClosed: 0,
  handOvers: 0,
  commands: 0,
  scans: 0,
  punches: 0,
  toldSaved: 0,
  toldSent: 0,
  setAside: 0,
  cutOff: 0,
  pageErrors: 0,
  faults: 0,
}
