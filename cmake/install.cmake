install(TARGETS xta xta_static xta_bridge xta_tool EXPORT xtaTargets)
