/** What Vue's compiler makes of a component in a template, when the component's own types are asked what it takes. */
import type { VNode } from 'vue';

type Component = abstract new (...args: never[]) => { $props: object };
/** In a template a name alone says yes. */
type Written<P> = { [N in keyof P]: P[N] | (true extends P[N] ? '' : never) };

export declare function createVNode<C extends Component>(
  component: C,
  props?: Written<InstanceType<C>['$props']> | null,
  ...rest: unknown[]
): VNode;
export declare const createBlock: typeof createVNode;
/** What is bound by an object is not looked at. */
export declare function mergeProps<A extends object, B extends object>(
  one: A,
  bound: object,
  other: B,
): A & B;
