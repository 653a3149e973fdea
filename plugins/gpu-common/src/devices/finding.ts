/**
 * Something a platform engineer should put right: what was read is shown all
 * the same, as far as it goes.
 *
 * @public
 */
export interface DeviceFinding {
  code:
    | 'labels-missing'
    | 'labels-disagree'
    | 'layout-uneven'
    | 'model-unknown'
    | 'profile-unknown'
    | 'resource-unknown'
    | 'flavor-matches-no-node'
    | 'flavor-without-labels'
    | 'flavor-without-devices'
    | 'flavor-mixes-classes'
    | 'flavors-overlap';
  kind: 'Node' | 'ResourceFlavor';
  name: string;
  message: string;
}
