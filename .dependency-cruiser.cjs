/**
 * Who may import whom. A folder may import itself. Features never import each other. When two features need the same
 * piece, that change moves it one row down: to src/domain or server/domain. `tests/architecture` plants a violation for every row.
 */
const rows = [
  { from: 'contract', may: [] },
  { from: 'src/ui', may: [] },
  { from: 'src/device', may: [] },
  { from: 'src/camera', may: ['src/ui', 'src/device'] },
  { from: 'src/db', may: ['contract'] },
  { from: 'src/api', may: ['contract'] },
  { from: 'src/sync', may: ['src/db', 'src/api', 'contract'] },
  { from: 'sw', may: ['src/device', 'src/sync', 'src/db', 'src/api', 'contract'] },
  { from: 'src/domain', may: ['src/ui', 'src/device', 'src/db', 'src/api', 'src/sync', 'contract'] },
  {
    named: 'src/features',
    from: 'src/features/[^/]+/[^/]+',
    may: ['src/ui', 'src/device', 'src/camera', 'src/db', 'src/api', 'src/sync', 'src/domain', 'contract'],
  },
  { from: 'src/routes', may: ['src/features', 'src/domain', 'src/ui', 'src/sync'] },
  { from: 'src/start', may: ['src', 'contract'] },
  { from: 'server/platform', may: ['contract'] },
  { from: 'server/domain', may: ['server/platform', 'contract'] },
  { named: 'server features', from: 'server/features/[^/]+/[^/]+', may: ['server/domain', 'server/platform', 'contract'] },
  { from: 'server/sync', may: ['server/features', 'server/domain', 'server/platform', 'contract'] },
  { from: 'server/demo', may: ['server/features', 'server/domain', 'server/platform', 'contract'] },
  { named: 'server root', from: 'server/[^/]+[.]ts', may: ['server', 'contract'] },
  { from: 'scripts', may: ['server', 'contract'] },
]

const ours = '^(contract|src|sw|server|tests|bench|scripts)/'

/** `$1` in a `pathNot` is the first group of `from`: it lets a folder import itself. */
const forbidden = rows.map(({ named, from, may }) => ({
  name: `${named ?? from}: only ${['itself', ...may].join(', ')}`,
  severity: 'error',
  from: { path: `^(${from})(/|$)`, pathNot: '[.]test[.]tsx?$' },
  to: { path: ours, pathNot: [`^$1(/|$)`, ...may.map((folder) => `^${folder}(/|$)`)] },
}))

module.exports = {
  forbidden: [
    ...forbidden,
    {
      name: 'contract and the app know no server, and only valibot from outside',
      severity: 'error',
      from: { path: '^contract/', pathNot: '[.]test[.]ts$' },
      to: { dependencyTypesNot: ['local', 'aliased', 'aliased-subpath-import', 'localmodule'], pathNot: 'node_modules/valibot' },
    },
    {
      name: 'the worker, the sync, the databases and the api know nothing of React',
      severity: 'error',
      from: { path: '^(sw|src/sync|src/db|src/api)/', pathNot: ['[.]test[.]tsx?$', '^src/sync/react/'] },
      to: { path: 'node_modules/(react|react-dom|dexie-react-hooks|@headlessui)' },
    },
    {
      name: 'the worker does not reach React through the sync either',
      severity: 'error',
      from: { path: '^sw/' },
      to: { path: '^src/sync/react/', reachable: true },
    },
    { name: 'no circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:|[.]wasm[?]url$' } },
    {
      name: 'the product does not import its tests',
      severity: 'error',
      from: { path: '^(contract|src|sw|server|scripts)/', pathNot: '[.]test[.]tsx?$' },
      to: { path: '^(tests|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|build|data)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
}
